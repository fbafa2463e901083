-- A loop that takes its two arms in turn: the example of the multi-iteration profiling paper.
--
--   mangata --profile-paths examples/alternation.lua
--   mangata --profile-paths --profile-k=2 examples/alternation.lua
--
-- Path by path, the two arms are equally frequent, and nothing says which one comes next. Two rounds at a time there are
-- only two paths: left after right, and right after left.

local function weave(rounds)
  local left, right, flip = 0, 1, true
  repeat
    if flip then
      left = (left + right) % 8191
    else
      right = (right * 5 + left) % 8191
    end
    flip = not flip
    rounds = rounds - 1
  until rounds == 0
  return left, right
end

print(weave(100000))
