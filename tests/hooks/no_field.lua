return function(p)
  return p.secret
end
