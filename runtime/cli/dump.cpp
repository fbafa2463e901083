#include "runtime/cli/dump.h"

#include <cstdio>

#include "profiler/dump.h"
#include "runtime/lib/load_file.h"
#include "vm/bytecode/cfg.h"
#include "vm/bytecode/disassembler.h"
#include "vm/bytecode/proto.h"
#include "vm/frontend/compile.h"

namespace mangata {
namespace {

std::string dump_function(const Proto& proto, const Options& options) {
  switch (options.dump) {
    case DumpStage::Bytecode: return disassemble(proto);
    case DumpStage::Cfg: return dump_cfg(proto);
    case DumpStage::Numbering: return dump_numbering(proto, options.profile);
    case DumpStage::Plan: return dump_plan(proto, options.profile);
    default: return "";
  }
}

/// A function and the functions inside it, outermost first.
void dump_all(const Proto& proto, const Options& options, std::string* out) {
  *out += dump_function(proto, options);
  for (const Proto* nested : proto.nested) {
    *out += '\n';
    dump_all(*nested, options, out);
  }
}

}  // namespace

bool dump_script(Program& program, const Options& options, const char* file_name) {
  Vm& vm = program.vm();
  std::string out;
  if (options.dump == DumpStage::Tokens) {
    const Result<SourceText> source = read_source(vm, file_name);
    if (!source.ok()) return program.report_pending();
    if (!dump_tokens(vm, source.value().text, source.value().chunk_name, out).ok()) return program.report_pending();
  } else {
    const Result<LuaFunction*> chunk = load_file(vm, file_name, "bt");
    if (!chunk.ok()) return program.report_pending();
    dump_all(*chunk.value()->proto, options, &out);
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return true;
}

}  // namespace mangata
