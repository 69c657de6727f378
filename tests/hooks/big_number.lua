return function(p) return 1 << 40 end
