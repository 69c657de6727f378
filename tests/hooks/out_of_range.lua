return function(p) return {{ set = "lives", of = "white", to = 99 }} end
