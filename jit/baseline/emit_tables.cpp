// Table access.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

void BaselineCompiler::emit_GetGlobal(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_SetGlobal(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_GetField(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_SetField(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_GetIndex(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_SetIndex(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_GetInteger(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_SetInteger(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Self(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_NewTable(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_SetList(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Length(const Instruction&) { emit_generic(); }
void BaselineCompiler::emit_Concat(const Instruction&) { emit_generic(); }

}  // namespace mangata::jit
