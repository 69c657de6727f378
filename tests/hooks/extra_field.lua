return function(p) return {{ take = "man of white", from = "a1" }} end
