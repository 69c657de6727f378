return function(p)
  io.open("/etc/passwd")
  return true
end
