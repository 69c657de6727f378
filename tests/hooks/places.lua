return function(p) return {"a1", "hand", p:sites("home of black")[2]} end
