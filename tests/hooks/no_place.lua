return function(p) return {{ put = "man of white", from = "a1" }} end
