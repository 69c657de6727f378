return function(p) return p:origin() == "a1" end
