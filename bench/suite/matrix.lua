-- group: array
-- Dense matrices as arrays of rows: transpose, multiply, and a checksum.
local scale = tonumber((...)) or 1

local function generate(size, seed)
  local matrix = {}
  for i = 1, size do
    local row = {}
    for j = 1, size do row[j] = (i * seed + j * j) % 10 end
    matrix[i] = row
  end
  return matrix
end

local function transpose(matrix)
  local result = {}
  for j = 1, #matrix[1] do
    local row = {}
    for i = 1, #matrix do row[i] = matrix[i][j] end
    result[j] = row
  end
  return result
end

local function multiply(a, b)
  local columns, product = transpose(b), {}
  for i, row in ipairs(a) do
    local out = {}
    for j, column in ipairs(columns) do
      local sum = 0
      for k = 1, #row do sum = sum + row[k] * column[k] end
      out[j] = sum
    end
    product[i] = out
  end
  return product
end

local function checksum(matrix)
  local sum = 0
  for i, row in ipairs(matrix) do
    for j, value in ipairs(row) do sum = (sum + value * (i + 2 * j)) % 1000003 end
  end
  return sum
end

for _ = 1, math.max(1, math.floor(65 * scale)) do
  assert(checksum(multiply(generate(100, 3), generate(100, 7))) == 565802)
end
