return function(p)
  local x = nil
  return x.y
end
