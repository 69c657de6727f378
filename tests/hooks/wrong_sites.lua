return function(p) return "a1" end
