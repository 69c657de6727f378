return function(p)
  table.move({}, 1, 1000000000, 2)
  return true
end
