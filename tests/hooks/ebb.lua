-- Men on the edge go to sea, the first chief changes sides.
return function(p)
  local list = {}
  for _, site in ipairs(p:sites("edge")) do
    for _, piece in ipairs(p:at(site)) do
      if piece.kind == "man" and piece.owner == p.mover then
        list[#list + 1] = { put = "man of " .. piece.owner, from = site, on = "sea" }
      end
    end
  end
  local chiefs = p:pieces("chief of white")
  for site in pairs(chiefs) do
    if p.turn_count % 5 == 0 and #list > 0 and site ~= "sea" then
      list[#list + 1] = { make = "chief of white", at = site, into = "chief of black" }
    end
    break
  end
  return list
end
