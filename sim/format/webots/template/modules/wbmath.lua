return { round = function(x) return math.floor(x + 0.5) end }
