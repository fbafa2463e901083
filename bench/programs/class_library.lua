-- What programs do with a library of classes, for bench/public_programs.toml: three levels of inheritance, constructors and methods that call those
-- of the class above, a mixin, objects that live long and objects that do not, tests of classes.
--
-- library.class(name, super)      a new class, which is called to make an object
-- library.constructor             the name of the method that is called for a new object
-- library.mixin(class, methods)   gives a class more methods
-- library.is_a(object, class)     whether it is of that class or of one below
return function(library, rounds)
  local constructor = library.constructor

  local Shape = library.class("Shape")
  Shape[constructor] = function(self, x, y)
    self.x, self.y = x, y
    self.moves = 0
  end
  function Shape:move(dx, dy)
    self.x, self.y = self.x + dx, self.y + dy
    self.moves = self.moves + 1
  end
  function Shape:area() return 0 end
  function Shape:describe() return self.x * 3 + self.y + self:area() end

  local Named = {}
  function Named:set_name(name) self.name = name end
  function Named:get_name() return self.name end

  local Box = library.class("Box", Shape)
  library.mixin(Box, Named)  -- before there are classes below it, since some libraries copy what is inherited
  Box[constructor] = function(self, x, y, width, height)
    Shape[constructor](self, x, y)
    self.width, self.height = width, height
  end
  function Box:area() return self.width * self.height end

  local Frame = library.class("Frame", Box)
  Frame[constructor] = function(self, x, y, width, height, border)
    Box[constructor](self, x, y, width, height)
    self.border = border
  end
  function Frame:area() return Box.area(self) - (self.width - self.border) * (self.height - self.border) end
  function Frame:describe() return Box.describe(self) + 1 end

  local Round = library.class("Round", Shape)
  Round[constructor] = function(self, x, y, radius)
    Shape[constructor](self, x, y)
    self.radius = radius
  end
  function Round:area() return self.radius * self.radius * 3 end

  library.mixin(Round, Named)

  local all = {}
  for i = 1, 300 do
    local kind = i % 3
    all[i] = kind == 0 and Box(i, i, 2, 3) or kind == 1 and Frame(i, i, 4, 5, 1) or Round(i, i, 2)
    all[i]:set_name("shape" .. i)
  end

  local sum = 0
  for round = 1, rounds do
    for i = 1, #all do
      local shape = all[i]
      shape:move(1, -1)
      sum = sum + shape:describe() + shape:area() + #shape:get_name()
      if library.is_a(shape, Box) then sum = sum + 1 end
    end
    for i = 1, 100 do
      local made = Frame(i, round, 3, 3, 2)
      made:move(i, i)
      sum = sum + made:describe()
    end
  end
  print(sum, all[1].moves, all[300]:get_name())
end
