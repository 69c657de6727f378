return function(p) return {"a1", "z9"} end
