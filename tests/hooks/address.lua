return function(p)
  return string.format("%p", "x") == ""
end
