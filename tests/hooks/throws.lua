return function(p)
  error({code = 1})
end
