return function(p)
  string.pack("i", 1)
  return true
end
