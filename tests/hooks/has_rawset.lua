return function(p)
  rawset({}, 1, 2)
  return true
end
