// jit.paths: exact counts of paths for scripts. What start() returns and what snapshots mean:
// profiler/README.md; their members are those of profiler/JSON.md.
#include <cmath>
#include <map>

#include "numbering/k_loops.h"
#include "profiler/report.h"
#include "profiler/report_format.h"
#include "profiler/selection.h"
#include "runtime/lib/jit_library.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// The member `name` of the options, argument 0; nil when there are none.
Result<Value> option(Call& call, std::string_view name) {
  if (call.is_none_or_nil(0)) return Value::nil();
  Table* options = TRY(call.check_table(0));
  return table_get_string(options, call.vm().intern(name));
}

Result<int64_t> integer_option(Call& call, std::string_view name, int64_t smallest, int64_t greatest,
                               int64_t fallback) {
  const Value value = TRY(option(call, name));
  if (value.is_nil()) return fallback;
  if (!value.is_integer() || value.as_integer() < smallest || value.as_integer() > greatest) {
    return call.bad_argument(0, "field '" + std::string(name) + "' must be an integer from " +
                                    std::to_string(smallest) + " to " + std::to_string(greatest));
  }
  return value.as_integer();
}

Result<size_t> top_option(Call& call, size_t fallback) {
  constexpr int64_t kMost = INT32_MAX;
  return static_cast<size_t>(TRY(integer_option(call, "top", 1, kMost, static_cast<int64_t>(fallback))));
}

/// true, or nil and why not.
Result<int> done_or(Call& call, const std::string& problem) {
  if (problem.empty()) return call.ret(Value::boolean(true));
  return call.ret(Value::nil(), call.vm().string_value(problem));
}

Result<int> paths_start(Call& call) {
  const int64_t k = TRY(integer_option(call, "k", 1, numbering::kMaxIterations, 0));
  return done_or(call, control_of<PathControl>(call).start(static_cast<unsigned>(k)));
}

Result<int> paths_stop(Call& call) { return done_or(call, control_of<PathControl>(call).stop()); }
Result<int> paths_reset(Call& call) { return done_or(call, control_of<PathControl>(call).reset()); }

/// Builds the tables of a snapshot. Nothing collects meanwhile.
class SnapshotTable {
 public:
  explicit SnapshotTable(Vm& vm) : vm_(vm) {}

  Result<Table*> build(const PathProfile& profile, const ReportOptions& options) {
    const Selection selection = select_paths(profile, options, /*default_top=*/0);
    Table* result = table_new(vm_);
    set(result, "k", profile.iterations);
    set(result, "completed", selection.completed);
    set(result, "distinct", selection.distinct);
    set(result, "bytecodes", selection.bytecodes);
    set(result, "cut", selection.cut);
    Table* functions = TRY(new_list(result, "functions"));
    std::map<const FunctionProfile*, FunctionTables> tables;
    const auto tables_of = [&](const FunctionProfile& function) -> Result<FunctionTables*> {
      const auto [place, is_new] = tables.try_emplace(&function);
      if (is_new) TRY(add_function(functions, function, &place->second));
      return &place->second;
    };
    for (const SelectedPath& path : selection.paths) {
      FunctionTables& function_tables = *TRY(tables_of(*path.function));
      const auto loop =
          static_cast<size_t>(path.loop == nullptr ? 0 : path.loop - path.function->loops.data());
      TRY(add_path(path.loop == nullptr ? function_tables.paths : function_tables.windows[loop], *path.path));
    }
    for (const SelectedPath& path : selection.cut_paths)
      TRY(add_path(TRY(tables_of(*path.function))->cut_paths, *path.path));
    return result;
  }

 private:
  struct FunctionTables {
    Table* paths = nullptr;
    Table* cut_paths = nullptr;
    std::vector<Table*> windows;
  };

  void set(Table* table, const char* key, uint64_t value) {
    set_field(vm_, table, key, Value::integer(static_cast<int64_t>(value)));
  }
  /// No field when the line is not known.
  void set_line(Table* table, const char* key, int32_t line) {
    if (line > 0) set_field(vm_, table, key, Value::integer(line));
  }
  Status set(Table* table, const char* key, std::string_view text) {
    set_field(vm_, table, key, Value::string(TRY(vm_.new_string(text))));
    return {};
  }
  Status append(Table* list, Value value) {
    return table_set_integer(vm_, list, static_cast<int64_t>(table_length(list)) + 1, value);
  }
  Result<Table*> new_list(Table* owner, const char* key) {
    Table* list = table_new(vm_);
    TRY(table_set_string(vm_, owner, vm_.intern(key), Value::table(list)));
    return list;
  }

  Status add_function(Table* functions, const FunctionProfile& function, FunctionTables* tables) {
    Table* row = table_new(vm_);
    TRY(append(functions, Value::table(row)));
    TRY(set(row, "id", function.id));
    TRY(set(row, "name", function.name));
    TRY(set(row, "source", function.source));
    set(row, "line", static_cast<uint64_t>(function.line_defined));
    set(row, "last_line", static_cast<uint64_t>(function.last_line_defined));
    if (!function.has_hashed_ids) set(row, "possible_paths", function.possible_paths);
    tables->paths = TRY(new_list(row, "paths"));
    tables->cut_paths = TRY(new_list(row, "cut_paths"));
    if (function.loops.empty()) return {};
    Table* loops = TRY(new_list(row, "loops"));
    for (const LoopProfile& loop : function.loops) tables->windows.push_back(TRY(add_loop(loops, loop)));
    return {};
  }

  Result<Table*> add_loop(Table* loops, const LoopProfile& loop) {
    Table* row = table_new(vm_);
    TRY(append(loops, Value::table(row)));
    TRY(set(row, "key", loop.key));
    set_line(row, "line", loop.line);
    set(row, "k", loop.iterations);
    set(row, "backedges", loop.backedges);
    set(row, "rounds", loop.runs);
    set(row, "distinct", loop.distinct_runs);
    set(row, "best_k", loop.chosen);
    Table* accuracy = TRY(new_list(row, "accuracy"));
    for (const double share : loop.accuracy) TRY(append(accuracy, Value::number(share)));
    return new_list(row, "windows");
  }

  Status add_path(Table* paths, const PathCount& counted) {
    const Path& path = counted.path;
    Table* row = table_new(vm_);
    TRY(append(paths, Value::table(row)));
    TRY(set(row, "key", path.key));
    set(row, "count", counted.count);
    set(row, "length", path.bytecodes);
    TRY(set(row, "text", describe(path)));
    TRY(add_place(row, "start", name_of(path.start), path.start_line));
    TRY(add_place(row, "end", name_of(path.end), path.end_line));
    Table* steps = TRY(new_list(row, "steps"));
    for (const PathStep& step : path.steps) {
      const std::string text = describe(step);
      Table* entry = table_new(vm_);
      TRY(append(steps, Value::table(entry)));
      set_line(entry, "line", step.line);
      TRY(set(entry, "arm", std::string_view(text).substr(text.find(':') + 1)));
    }
    Table* lines = TRY(new_list(row, "lines"));
    for (const int32_t line : path.lines) TRY(append(lines, Value::integer(line)));
    if (path.iteration_ends.empty()) return {};
    Table* ends = TRY(new_list(row, "iteration_ends"));
    for (const uint32_t end : path.iteration_ends) TRY(append(ends, Value::integer(end)));
    set(row, "repeated", path.repeated_bytecodes);
    return {};
  }

  Status add_place(Table* path, const char* key, const char* kind, int32_t line) {
    Table* place = table_new(vm_);
    TRY(table_set_string(vm_, path, vm_.intern(key), Value::table(place)));
    TRY(set(place, "kind", std::string_view(kind)));
    set_line(place, "line", line);
    return {};
  }

  Vm& vm_;
};

Result<int> paths_snapshot(Call& call) {
  const auto& control = control_of<PathControl>(call);
  ReportOptions options = control.report_options();
  options.top = TRY(top_option(call, 0));
  PathProfile profile;
  std::string problem;
  if (!control.snapshot(&profile, &problem)) return done_or(call, problem);
  return call.ret(Value::table(TRY(SnapshotTable(call.vm()).build(profile, options))));
}

Result<int> paths_report(Call& call) {
  const auto& control = control_of<PathControl>(call);
  ReportOptions options = control.report_options();
  options.top = TRY(top_option(call, options.top));
  const Value format = TRY(option(call, "format"));
  const bool is_json = format.is_string() && format.as_string()->view() == "json";
  if (!format.is_nil() && !is_json && !(format.is_string() && format.as_string()->view() == "text")) {
    return call.bad_argument(0, "field 'format' must be 'text' or 'json'");
  }
  options.format = find_report_format(is_json ? "json" : "text");
  PathProfile profile;
  std::string problem;
  if (!control.snapshot(&profile, &problem)) return done_or(call, problem);
  return call.ret_string(write_report(profile, options));
}

}  // namespace

Table* make_jit_paths(Vm& vm, PathControl& paths) {
  Table* library = table_new(vm);
  set_control_function(vm, library, "start", paths_start, &paths);
  set_control_function(vm, library, "stop", paths_stop, &paths);
  set_control_function(vm, library, "reset", paths_reset, &paths);
  set_control_function(vm, library, "snapshot", paths_snapshot, &paths);
  set_control_function(vm, library, "report", paths_report, &paths);
  return library;
}

}  // namespace mangata
