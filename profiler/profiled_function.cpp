#include "profiler/profiled_function.h"

#include <algorithm>

#include "profiler/content_hash.h"
#include "profiler/function_names.h"
#include "profiler/loop_starts.h"
#include "profiler/source_lines.h"
#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {

std::string FunctionIdentity::display_name() const {
  if (!name.empty()) return name;
  return "function <" + chunk_id(source) + ":" + std::to_string(line_defined) +
         (column_defined > 0 ? ":" + std::to_string(column_defined) : "") + ">";
}

FunctionIdentity identity_of(const Proto& proto) {
  const uint64_t content = content_hash(proto);
  return {.key = place_hash(proto, content),
          .id = hash_text(content),
          .name = proto.line_defined == 0 ? "main chunk" : std::string(),
          .source = proto.source == nullptr ? "=?" : std::string(proto.source->view()),
          .line_defined = proto.line_defined,
          .last_line_defined = proto.last_line_defined,
          .column_defined = proto.column_defined};
}

ProfiledFunction* profiled_function(const Proto& proto) {
  return proto.path_counters == nullptr ? nullptr : static_cast<ProfiledFunction*>(proto.path_counters->owner);
}

void name_nested_functions(const Proto& proto) {
  std::vector<std::string> names = names_of_nested(proto);
  for (size_t i = 0; i < names.size(); ++i) {
    ProfiledFunction* nested = profiled_function(*proto.nested[i]);
    if (nested != nullptr && nested->name.empty()) nested->name = std::move(names[i]);
  }
}

void install_events(Proto& proto, ProfiledFunction& function, const EdgeCode& events) {
  install_version(proto, add_events(proto, function, events));
  ++function.prototypes;
}

CodeVersion& add_events(Proto& proto, ProfiledFunction& function, const EdgeCode& events) {
  InstrumentedCode instrumented = instrument(proto, function.shape, events);
  if (function.counters.events.empty()) function.counters.events = std::move(instrumented.events);
  function.first_started_pc = instrumented.first_started_pc;
  CodeVersion version;
  version.loop_starts = loop_starts(function.shape, function.counters, events, instrumented);
  version.instrumented = std::move(instrumented.code);
  version.to_original = std::move(instrumented.to_original);
  version.counters = &function.counters;
  return add_version(proto, std::move(version));
}

bool uninstall_events(Proto& proto) {
  ProfiledFunction& function = *profiled_function(proto);
  proto.path_counters = nullptr;
  return --function.prototypes == 0;
}

FramePlace place_of(const Proto& proto, const Value* base) {
  // saved_pc is the instruction after the one that runs; before the first it is the first.
  const CodeVersion& version = *proto.version_at(frame_of(base)->saved_pc);
  const auto pc = std::max<ptrdiff_t>(frame_of(base)->saved_pc - version.code - 1, 0);
  return {.pc = value_of(version.to_original[static_cast<size_t>(pc)]),
          .is_started = pc >= static_cast<ProfiledFunction*>(version.counters->owner)->first_started_pc,
          .is_leaving = leaves_function(version.code[pc].op)};
}

}  // namespace mangata
