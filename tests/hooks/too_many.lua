return function(p) return {{ take = "man of white", at = "a1", n = 2 }} end
