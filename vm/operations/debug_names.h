// Names for values and functions, found in the code that uses them: what error messages and tracebacks say.
//
// Bytecode has no names for temporaries. Executing the code symbolically, from its start to the instruction
// in question, tells which instruction set a register last, and that instruction tells a name: "global 'x'",
// "field 'y'", "method 'm'". The answer describes; it never changes what a program does. Read next:
// vm/operations/debug_names.cpp, vm/operations/raise.cpp.
#pragma once

#include <string>
#include <string_view>

#include "vm/operations/debug_info.h"

namespace mangata {

/// What kind of thing was named ("local", "method", ...) and the name; kind is null when nothing is known.
struct FoundName {
  const char* kind = nullptr;  ///< of static storage
  std::string name;  ///< as in the source

  bool is(std::string_view wanted_kind) const { return kind != nullptr && kind == wanted_kind; }
};

/// How the Lua function `proto`, executing `pc`, names the function that it calls there: by the called
/// expression, as "for iterator", or as the metamethod of the operation.
FoundName name_of_callee(Vm& vm, const Proto& proto, OriginalPc pc);

/// How its caller names the function that runs in the frame at `base`. Nothing is known after a tail call.
FoundName name_from_caller(Vm& vm, Value* base);

/// The name of an operand of the instruction that the running Lua function executes, when its value is
/// `culprit`.
FoundName name_of_operand(Vm& vm, const Value& culprit);

/// The name of a stack slot, when it is a register of the running Lua function.
FoundName name_of_slot(Vm& vm, const Value* slot);

/// "string.rep" or "print": the name under which `function` is found in package.loaded; empty when it is not
/// there.
std::string global_function_name(Vm& vm, Value function);

/// The type name for messages: __name of a table or userdata when it is a string, else the basic type.
std::string_view object_type_name(Vm& vm, const Value& value);

/// As raise_type_error, for a culprit that is in a stack slot: no other operand is taken for it.
Raised raise_slot_type_error(Vm& vm, const Value* slot, const char* operation);

}  // namespace mangata
