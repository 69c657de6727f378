return function(p) return {{ raise = "sea", of = "a1" }} end
