return function(p) return true
end end
