return function(p) return 1.5 end
