return function(p) return {{ set = "sea", of = "a1", to = "wet" }} end
