#include "runtime/tiering/region_reports.h"

#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/operations/operations.h"

namespace mangata {

void RegionReports::add(const RegionOutcome& outcome) {
  if (dump_.is_open()) dump(outcome);
  if (!log_.is_on()) return;
  RegionRecord record{.clock = clock_.now(),
                      .loop_line = outcome.line,
                      .summary = outcome.summary,
                      .contexts = outcome.contexts,
                      .why_not = outcome.why_not,
                      .code_bytes = outcome.code_bytes,
                      .ir_instructions = outcome.ir_instructions,
                      .saved_share = outcome.saved_share,
                      .milliseconds = outcome.milliseconds};
  name(*outcome.proto, &record);
  log_.add_region(record);
}

void RegionReports::add_exits(const RegionCompiler& compiler, const std::function<double(const Proto&)>& baseline_cycles) {
  std::vector<ExitsRecord> records;
  for (auto& [proto, record] : compiler.exits()) {
    name(*proto, &record);
    records.push_back(std::move(record));
  }
  log_.add_exits(compiler.describe_exits(!log_.is_deterministic(), baseline_cycles), records);
}

/// The function of a record.
template <typename Record>
void RegionReports::name(const Proto& proto, Record* record) {
  const SampledFunction* function = functions_[proto].sampled;
  record->name = function == nullptr ? "?" : function->identity.display_name();
  record->source = function == nullptr ? "?" : chunk_id(function->identity.source);
  record->line = std::max(proto.line_defined, 1);
}

/// In one piece: the program writes to the same stream.
void RegionReports::dump(const RegionOutcome& outcome) {
  const Proto& proto = *outcome.proto;
  const SampledFunction* function = functions_[proto].sampled;
  std::string text = "region: ";
  text += outcome.line < 0 ? "all of " : "loop " + std::to_string(outcome.line) + " of ";
  text += function == nullptr ? "?" : function->identity.display_name();
  if (proto.source != nullptr) text += " (" + chunk_id(proto.source->view()) + ":" + std::to_string(std::max(proto.line_defined, 1)) + ")";
  text += "\n" + outcome.text;
  if (!outcome.why_not.empty()) text += "  not in force: " + outcome.why_not + "\n";
  text += '\n';
  dump_.write(text);
}

}  // namespace mangata
