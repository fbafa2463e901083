#include "runtime/tiering/region_reports.h"

#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

namespace mangata {

void RegionReports::add(const RegionOutcome& outcome) {
  if (dump_.is_open()) dump(outcome);
  if (log_.is_on()) log_.add_region(clock_.now(), name_of(*outcome.place.proto), outcome);
}

void RegionReports::add_exits(const RegionCompiler& compiler, const std::function<double(const Proto&)>& baseline_cycles) {
  std::vector<ExitsRecord> records = compiler.exits();
  for (ExitsRecord& record : records) record.function = name_of(*record.place.proto);
  log_.add_exits(compiler.describe_exits(!log_.is_deterministic(), baseline_cycles), records);
}

FunctionName RegionReports::name_of(const Proto& proto) {
  const SampledFunction* function = functions_[proto].sampled;
  const int32_t line = std::max(proto.line_defined, 1);
  if (function == nullptr) return {.line = line};
  return {.name = function->identity.display_name(), .source = chunk_id(function->identity.source), .line = line};
}

/// In one piece: the program writes to the same stream.
void RegionReports::dump(const RegionOutcome& outcome) {
  const Proto& proto = *outcome.place.proto;
  std::string text = "region: ";
  text += outcome.place.line < 0 ? "all of " : "loop " + std::to_string(outcome.place.line) + " of ";
  text += name_of(proto).name;
  if (proto.source != nullptr) text += " (" + chunk_id(proto.source->view()) + ":" + std::to_string(std::max(proto.line_defined, 1)) + ")";
  text += "\n" + outcome.text;
  if (!outcome.is_installed()) text += "  not installed: " + outcome.why_not + "\n";
  text += '\n';
  dump_.write(text);
}

}  // namespace mangata
