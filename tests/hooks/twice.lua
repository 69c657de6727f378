return function(p)
  return {{ take = "man of white", at = "a1" }, { put = "man of white", from = "a1", on = "a2" }}
end
