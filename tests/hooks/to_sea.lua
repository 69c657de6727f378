return function(p)
  local list = {}
  for _, site in ipairs(p:sites("edge")) do
    for _, piece in ipairs(p:at(site)) do
      list[#list + 1] = { put = piece.kind .. " of " .. piece.owner, from = site, on = "sea" }
    end
  end
  return list
end
