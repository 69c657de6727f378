return function(p)
  for k in pairs({[{}] = 1}) do end
  return true
end
