return function(p)
  local s = ("a"):rep(200)
  return s:find("a*a*a*a*a*b") ~= nil
end
