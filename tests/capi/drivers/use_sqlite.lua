-- package: lua-sql-sqlite3
local environment = require("luasql.sqlite3").sqlite3()
local connection = assert(environment:connect ":memory:")
print(connection:execute "create table t (id integer, name text, x real)")
for i = 1, 50 do connection:execute(("insert into t values (%d, 'n%d', %f)"):format(i, i, i / 4)) end
local cursor = connection:execute "select * from t where id > 47 order by id"
print(table.concat(cursor:getcolnames(), " "), table.concat(cursor:getcoltypes(), " "))
local row = cursor:fetch({}, "a")
while row do print(row.id, row.name, row.x); row = cursor:fetch(row, "a") end
print(connection:execute "select nonsense")
print(connection:commit(), connection:close(), environment:close())
print(pcall(connection.execute, connection, "x"))
print((tostring(environment):gsub("0x%x+", "")))
