return function(p)
  return {
    { take = "man of white", at = "a1" },
    { put = "man of white", from = "hand", on = "c2", n = 2 },
    { make = "man of black", at = "d4", into = "king" },
    { set = "sea", of = "b2", to = "shut" },
    { set = "stake", to = 4 },
    { set = "holder", to = "black" },
    { raise = "lives", of = "white", by = 9 },
    { lower = "lives", of = "black" },
  }
end
