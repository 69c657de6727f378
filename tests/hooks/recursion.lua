local function f(n) return 1 + f(n + 1) end
return function(p) return f(1) > 0 end
