return function(p) return p:count("man") * 2.0 end
