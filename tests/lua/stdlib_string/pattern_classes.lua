-- Character classes and sets against all bytes: how many match each (C locale).
for class in ('adglpsuwxcADGLPSUWXC.'):gmatch('.') do
  local pattern = class == '.' and '.' or '%' .. class
  local count, sum = 0, 0
  for b = 0, 255 do if string.char(b):find(pattern) then count, sum = count + 1, sum + b end end
  io.write(pattern, '=', count, ':', sum, ' ')
end
print()
-- expect: %a=52:4862 %d=10:525 %g=94:7473 %l=26:2847 %p=32:2086 %s=6:87 %u=26:2015 %w=62:5387 %x=22:1527 %c=33:623 %A=204:27778 %D=246:32115 %G=162:25167 %L=230:29793 %P=224:30554 %S=250:32553 %U=230:30625 %W=194:27253 %X=234:31113 %C=223:32017 .=256:32640
for _, set in ipairs{'[abc]', '[^abc]', '[a-z]', '[^a-z]', '[%a_]', '[%w%s]', '[]]', '[^]]', '[a-]', '[-a]', '[%-a]', '[a%]b]', '[%z]', '[\0-\31]', '[+-/]', '[^%s%c]', '[%d.]', '[a-c-e]', '[%a-z]', '[^^]', '[z-a]'} do
  local count = 0
  for b = 0, 255 do if string.char(b):find(set) then count = count + 1 end end
  io.write(set == '[\0-\31]' and '[ctl]' or set, '=', count, ' ')
end
print()
-- expect: [abc]=3 [^abc]=253 [a-z]=26 [^a-z]=230 [%a_]=53 [%w%s]=68 []]=1 [^]]=255 [a-]=2 [-a]=2 [%-a]=2 [a%]b]=3 [%z]=1 [ctl]=32 [+-/]=5 [^%s%c]=222 [%d.]=11 [a-c-e]=5 [%a-z]=53 [^^]=255 [z-a]=0
