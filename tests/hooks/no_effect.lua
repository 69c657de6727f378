return function(p) return {{ move = "man" }} end
