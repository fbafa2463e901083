// Variables, blocks, labels and pending gotos while a chunk is compiled (Lua 5.4 manual §3.3.4, §3.3.8,
// §3.5).
//
// Read next: vm/frontend/code_generator.h, scope.cpp, labels.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vm/frontend/constant_index.h"
#include "vm/frontend/lexer.h"
#include "vm/frontend/source_positions.h"
#include "vm/value/value.h"
#include "vm/vm.h"

namespace mangata {

/// What may be done with a variable. Stored in UpvalueDescription::kind.
enum class LocalKind : uint8_t {
  Regular,
  Constant,             ///< <const>
  ToBeClosed,           ///< <close>
  CompileTimeConstant,  ///< <const> whose value is a constant expression: it has no register
};

/// A declared local variable.
struct Variable {
  String* name;  ///< what the source calls it; in parentheses where the compiler made it
  LocalKind kind = LocalKind::Regular;
  uint8_t reg = 0;                ///< not for CompileTimeConstant
  int debug_index = 0;            ///< in Proto::locals; not for CompileTimeConstant
  Value constant = Value::nil();  ///< CompileTimeConstant
};

/// A lexical block being compiled.
struct Block {
  Block* parent;  ///< around it; null: the body of the function
  int first_label;  ///< labels and pending gotos from here on belong to this block
  int first_goto;  ///< in Compilation::gotos; first_label in Compilation::labels
  int outer_variable_count;  ///< active variables of the function outside of it
  bool is_loop;  ///< `break` ends it
  bool has_upvalue = false;  ///< a variable of the block is captured or to be closed: leaving needs a Close
  bool is_inside_to_be_closed;  ///< in the scope of a to-be-closed variable
};

struct Label {
  String* name;  ///< as in the source
  int pc;  ///< of the instruction behind it
  int line;  ///< where it stands
  int variable_count;  ///< active variables where it stands
  int previous = -1;   ///< visible label of the same name, of an enclosing function; -1: none
};

/// A jump to a label that was not seen yet; `break` is a goto to a label of that name at the end of the loop.
struct PendingGoto {
  String* name;              ///< null: its label was found
  int pc;  ///< of the jump, whose target is not known yet
  int line;  ///< where the goto stands: for messages
  int variable_count;        ///< active variables where it stands, lowered as blocks end
  int previous;              ///< pending goto of the same name; -1: none
  bool needs_close = false;  ///< it leaves the scope of a captured variable
};

/// The last label and the last pending goto of a name, from which `previous` leads to the others: functions with many of both are not
/// searched for each.
struct NamedPlaces {
  int label = -1;  ///< index in Compilation::labels; -1: there is none
  int pending = -1;  ///< index in Compilation::gotos; -1: there is none
};

/// The state shared by all functions of a chunk.
struct Compilation {
  Compilation(Vm& machine, std::string_view text, std::string_view chunk_name)
      : vm(machine),
        lexer(machine, text, chunk_name),
        environment_name(machine.intern("_ENV")),
        break_name(machine.intern("break")) {}

  Vm& vm;
  Lexer lexer;
  String* environment_name;  ///< "_ENV"
  String* break_name;  ///< "break", the label of every `break`
  String* source = nullptr;  ///< name of the chunk, as Proto::source
  std::vector<Variable> variables;  ///< of all functions being compiled, innermost last
  std::vector<Label> labels;        ///< visible ones
  std::vector<PendingGoto> gotos;
  std::unordered_map<const String*, NamedPlaces> named_places;  ///< of all labels and gotos in the lists above
  ConstantIndex constants;
  uint32_t function_count = 0;  ///< functions compiled so far
  std::unique_ptr<SourcePositions> positions;  ///< null unless they are wanted
  bool saves_registers = false;     ///< calls keep no registers free for frame headers
  bool needs_registers = false;     ///< a function has more temporaries than there are registers

  size_t bytes() const {
    return constants.bytes() + labels.capacity() * sizeof(Label) + gotos.capacity() * sizeof(PendingGoto);
  }
};

}  // namespace mangata
