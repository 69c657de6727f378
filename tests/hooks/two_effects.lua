return function(p) return {{ take = "man of white", put = "man of white" }} end
