return function(p) return {{ take = "man", at = "a1" }} end
