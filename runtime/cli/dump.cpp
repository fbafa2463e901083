#include "runtime/cli/dump.h"

#include <cstdio>

#include "profiler/dump.h"
#include "runtime/lib/load_file.h"
#include "runtime/tiering/tier_manager.h"
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
    case DumpStage::Plan: return options.profile_edges ? dump_edge_plan(proto) : dump_plan(proto, options.profile);
    default: return "";
  }
}

/// A function and the functions inside it, outermost first. False: *error says why there is no dump.
bool dump_all(Proto& proto, Engine& engine, const Options& options, std::string* out, std::string* error) {
  if (options.dump == DumpStage::Asm) {
    const auto text = engine.tiers().dump_machine_code(proto, error);
    if (!text) return false;
    *out += *text;
  } else {
    *out += dump_function(proto, options);
  }
  for (Proto* nested : proto.nested) {
    *out += '\n';
    if (!dump_all(*nested, engine, options, out, error)) return false;
  }
  return true;
}

}  // namespace

bool dump_script(Program& program, Engine& engine, const Options& options, const char* file_name) {
  Vm& vm = program.vm();
  std::string out;
  if (options.dump == DumpStage::Tokens) {
    const Result<SourceText> source = read_source(vm, file_name);
    if (!source.ok()) return program.report_pending();
    if (!dump_tokens(vm, source.value().text, source.value().chunk_name, out).ok()) return program.report_pending();
  } else {
    const Result<LuaFunction*> chunk = load_file(vm, file_name, "bt");
    if (!chunk.ok()) return program.report_pending();
    std::string error;
    if (!dump_all(*chunk.value()->proto, engine, options, &out, &error)) {
      program.report(error);
      return false;
    }
  }
  OutputFile::standard("dump", stdout, *options.log.errors).write(out);
  return true;
}

}  // namespace mangata
