return function(p) return 3 end
