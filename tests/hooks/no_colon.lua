return function(p)
  return #p.sites("yard") > 0
end
