return function(p) return {a1 = true} end
