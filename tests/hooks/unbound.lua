return function(p)
  return #p:sites("around") > 0
end
