return function(p) end
