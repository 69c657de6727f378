-- Nothing lives on from call to call.
calls = (calls or 0) + 1
local inner = 0
return function(p) inner = inner + 1 calls = calls + 1 return calls * 10 + inner end
