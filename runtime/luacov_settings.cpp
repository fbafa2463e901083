#include "runtime/luacov_settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>

#include "runtime/library_set/library_set.h"
#include "vm/bytecode/chunk.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// Takes the text of the settings; returns a table of what they say.
constexpr std::string_view kReadSettings = R"lua(
local text = ...
local settings = setmetatable({}, {__index = _G})
local returned = assert(load(text, "@config", "bt", settings))()
if type(returned) == "table" then
  for key, value in pairs(returned) do
    if settings[key] == nil then settings[key] = value end
  end
end

local function listed(key)
  local list = rawget(settings, key)
  return type(list) == "table" and table.move(list, 1, #list, 1, {}) or {}
end
local include, exclude = listed("include"), listed("exclude")

-- Of module names, those that say more come first: compared part by part from the end, a plain part before one with *.
local function parts(name)
  local list = {}
  for part in name:gmatch("[^.]+") do table.insert(list, 1, part) end
  return list
end
local function says_more(a, b)
  local p, q = parts(a), parts(b)
  for i = 1, math.max(#p, #q) do
    if not p[i] or not q[i] then return p[i] ~= nil end
    local is_wild = p[i]:find("*", 1, true) ~= nil
    if is_wild ~= (q[i]:find("*", 1, true) ~= nil) then return not is_wild end
  end
  return a < b
end

local names, modules = {}, {}
for name in pairs(rawget(settings, "modules") or {}) do names[#names + 1] = name end
table.sort(names, says_more)
for _, name in ipairs(names) do
  local file, is_wild = settings.modules[name], name:find("*", 1, true) ~= nil
  local pattern = name:gsub("%p", function(c) return c == "." and "/" or c == "*" and "[^/]+" or "%" .. c end)
  for _, ending in ipairs(file:find("init%.lua$") and {"$", "/init$"} or {"$"}) do
    include[#include + 1] = pattern .. ending
    modules[#modules + 1] = {pattern = pattern .. ending, file = file, is_wild = is_wild}
  end
end

local function plain(name) return (name:gsub("\\", "/"):gsub("%.lua$", "")) end
local function any(patterns, name)
  for _, pattern in ipairs(patterns) do
    if name:match(pattern) then return true end
  end
  return false
end

local untested = rawget(settings, "includeuntestedfiles")
return {
  stats_file = rawget(settings, "statsfile") or "luacov.stats.out",
  code_from_strings = rawget(settings, "codefromstrings") and true or false,
  untested = untested == true and {"."} or type(untested) == "table" and untested or {},
  includes = function(name)
    name = plain(name)
    return (#include == 0 or any(include, name)) and not any(exclude, name)
  end,
  real_name = function(name)
    for _, module in ipairs(modules) do
      local found = plain(name):match(module.pattern)
      if found then
        local file = module.file
        if module.is_wild then file = file:gsub("/?$", "/", 1) .. found .. ".lua" end
        return (file:gsub("^%./", ""))
      end
    end
    return name
  end,
}
)lua";

/// LuaCov's own modules never count.
bool is_of_luacov(std::string_view name) {
  static constexpr std::string_view kModules[] = {"luacov", "luacov/hook", "luacov/reporter", "luacov/reporter/default",
                                                  "luacov/defaults", "luacov/runner", "luacov/stats", "luacov/tick",
                                                  "luacov/util"};
  if (name.ends_with(".lua")) name.remove_suffix(4);
  return std::any_of(std::begin(kModules), std::end(kModules), [name](std::string_view module) { return name.ends_with(module); });
}

/// Calls a function; on failure *result is the error.
bool call_function(Vm& vm, Value function, std::span<const Value> arguments, Value* result) {
  Thread& thread = *vm.main_thread;
  Value* slot = thread.top;
  if (!make_stack_room(thread, slot, kCallOverheadSlots + static_cast<int>(arguments.size()) + 1)) {
    *result = vm.string_value("stack overflow");
    return false;
  }
  slot = thread.top;
  slot[0] = function;
  slot[1].set_nil();
  slot[2].set_nil();
  Value* next = slot + kCallOverheadSlots;
  for (const Value& argument : arguments) *next++ = argument;
  thread.top = next;
  const bool ok = protected_call(vm, slot, static_cast<int>(arguments.size()), 1, Value::nil());
  *result = *slot;
  thread.top = slot;
  return ok;
}

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()->view()) : std::string("(error object is no string)");
}

}  // namespace

LuacovSettings::LuacovSettings() = default;
LuacovSettings::~LuacovSettings() = default;

bool LuacovSettings::read(std::string* error) {
  const char* chosen = std::getenv("LUACOV_CONFIG");
  const std::string name = chosen == nullptr ? ".luacov" : chosen;
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) return true;
  vm_ = std::make_unique<Vm>();
  open_libraries(*vm_, kAllLibraries);
  const Value argument = vm_->string_value(text);
  Value answers = Value::nil();
  const Result<LuaFunction*> program = load(*vm_, kReadSettings, "=settings");
  if (!program.ok() || !call_function(*vm_, Value::function(program.value()), {&argument, 1}, &answers) || !answers.is_table()) {
    *error = "cannot read the settings of LuaCov in '" + name + "': " + text_of(answers);
    return false;
  }
  answers_ = answers.as_table();
  set_field(*vm_, vm_->registry, "settings of LuaCov", answers);
  const auto field = [this](const char* key) { return table_get(answers_, vm_->string_value(key)); };
  stats_file_ = text_of(field("stats_file"));
  counts_code_from_strings_ = field("code_from_strings").is_truthy();
  const Table* untested = field("untested").as_table();
  for (int64_t i = 1; i <= table_length(const_cast<Table*>(untested)); ++i) {
    untested_.push_back(text_of(table_get_integer(const_cast<Table*>(untested), i)));
  }
  return true;
}

bool LuacovSettings::call(const char* function, const std::string& argument, Value* result) {
  const Value name = vm_->string_value(argument);
  return call_function(*vm_, table_get(answers_, vm_->string_value(function)), {&name, 1}, result);
}

bool LuacovSettings::includes(const std::string& name) {
  Value answer = Value::boolean(true);
  return !is_of_luacov(name) && (vm_ == nullptr || (call("includes", name, &answer) && answer.is_truthy()));
}

std::string LuacovSettings::real_name(const std::string& name) {
  Value answer = Value::nil();
  return vm_ != nullptr && call("real_name", name, &answer) && answer.is_string() ? text_of(answer) : name;
}

}  // namespace mangata
