return function(p)
  return #p:sites("yrad") > 0
end
