// Machine instructions before registers are assigned: what selection makes, what allocation completes, what encoding reads.
//
// [DESIGN] Selection (jit/quick/x64) chooses instructions, and says of each operand what it may be: any register, a register or a place in
// memory, one certain register. Allocation (jit/quick/allocation) knows no more than that, and a table of the machine (Machine). It
// assigns registers to operands, and leaves moves: before instructions, and on edges. Opcodes are numbers to it.
//
// Values are in SSA form: each has one definition, an operand or a parameter of a block. Constants have none; they come into a register by
// being made anew. Blocks are in the order in which they are allocated: each but the first has a predecessor before it, and what
// dominates a block comes before it. Instructions are in the order of blocks.
#pragma once

#include <cstdint>
#include <vector>

namespace mangata::jit::quick {

using ValueIndex = uint32_t;
using BlockIndex = uint32_t;
inline constexpr uint32_t kNone = ~uint32_t{0};

/// 0 to 15: general registers; 16 to 31: those for floats.
using Register = uint8_t;
inline constexpr Register kNoRegister = 0xff;
using RegisterSet = uint32_t;
inline constexpr int kRegisters = 32;

inline RegisterSet set_of(Register reg) { return RegisterSet{1} << reg; }

enum class RegisterClass : uint8_t {
  General,
  Float
};
inline constexpr RegisterSet kGeneralRegisters = 0x0000ffff;
inline constexpr RegisterSet kFloatRegisters = 0xffff0000;

/// What allocation knows of a machine.
struct Machine {
  RegisterSet allocatable;   ///< of both classes
  RegisterSet callee_saved;  ///< calls leave them alone; a function that uses one saves it
  RegisterSet kept_by_compiled_code;  ///< of these
  Register float_scratch;    ///< never allocated: moves from memory to memory go through it
};

/// How an operand is used, and what it may be. Uses are read before results are written, unless they are late.
enum class Use : uint8_t {
  Register,       ///< read, in a register
  Any,            ///< read, in a register or in memory (a spill slot, or a constant in the pool)
  Fixed,          ///< read, in the register `fixed`
  Define,         ///< written, any register
  DefineFixed,    ///< written, the register `fixed`
  DefineAsFirst,  ///< written, in the register of the instruction's first operand, which is a use in a register
  Temporary       ///< neither read nor written by others: a register of its own, or the register `fixed`
};

inline bool is_use(Use use) { return use <= Use::Fixed; }
inline bool is_definition(Use use) { return use >= Use::Define && use <= Use::DefineAsFirst; }

struct Operand {
  ValueIndex value = kNone;
  Use use = Use::Register;
  bool is_late = false;            ///< a use that is still needed when results are written
  Register fixed = kNoRegister;
  Register assigned = kNoRegister;  ///< by allocation; kNoRegister: in memory
  uint32_t next_use = 0;           ///< by liveness: of the same value, as a distance from the block's start; kNever: it is dead
};

/// An instruction of a machine. What `opcode`, `detail` and the numbers mean, its selection and its encoding know.
struct Instruction {
  uint16_t opcode = 0;
  uint8_t width = 8;            ///< bytes of what it works on
  uint8_t condition = 0;
  uint8_t compare = 0;          ///< what sets the flags that the condition reads
  uint8_t form = 0;             ///< what stands for an operand of memory, or a constant
  uint8_t scale = 0;            ///< of the index: its logarithm
  uint8_t operand_count = 0;
  uint8_t memory_at = 0;        ///< where base and index of an address are among the operands
  uint8_t memory_operands = 0;  ///< base, and index
  bool is_call = false;         ///< clobbers all registers that are not callee_saved
  bool is_of_compiled_code = false;  ///< a call that leaves only kept_by_compiled_code alone
  bool is_commutative = false;  ///< the first two operands may change places; the third is the result
  uint32_t first_operand = 0;
  int32_t displacement = 0;
  uint32_t place = 0;  ///< where it comes from, as IR has it; 0: nowhere
  int64_t immediate = 0;
};

/// Where a value is, or comes from.
struct Location {
  enum class Kind : uint8_t {
    Register,
    Slot,
    Constant
  };
  Kind kind = Kind::Register;
  Register reg = kNoRegister;
  ValueIndex value = kNone;  ///< of a slot or a constant, whose it is
  bool operator==(const Location& other) const {
    return kind == other.kind && (kind == Kind::Register ? reg == other.reg : value == other.value);
  }
};

inline Location in_register(Register reg) { return {Location::Kind::Register, reg, kNone}; }
inline Location in_slot(ValueIndex value) { return {Location::Kind::Slot, kNoRegister, value}; }
inline Location as_constant(ValueIndex value) { return {Location::Kind::Constant, kNoRegister, value}; }

/// Before the instruction `at`. `is_exchange`: of two registers.
struct Move {
  uint32_t at = 0;
  Location from;
  Location to;
  bool is_exchange = false;
};

/// From one block to another. Arguments are read at the end of the first, and are the parameters of the second.
struct Edge {
  BlockIndex from = kNone;
  BlockIndex to = kNone;
  uint32_t first_argument = 0;
  uint32_t argument_count = 0;
  uint32_t first_move = 0;  ///< of Code::edge_moves, by allocation
  uint32_t move_count = 0;
};

struct Block {
  uint32_t first_instruction = 0;
  uint32_t instruction_count = 0;
  uint32_t first_parameter = 0;
  uint32_t parameter_count = 0;
  uint32_t first_successor = 0;  ///< of Code::edges: they are in the order of their blocks
  uint32_t successor_count = 0;
  uint32_t first_predecessor = 0;  ///< of Code::predecessors
  uint32_t predecessor_count = 0;
  BlockIndex loop = kNone;        ///< head of the innermost loop; of a head, itself
  BlockIndex outer_loop = kNone;  ///< of a head: that of the loop around
  uint8_t loop_depth = 0;
  bool is_cold = false;
  uint32_t frequency = 0;  ///< by weights of branches: how often it runs, roughly, to compare
  uint32_t first_move = 0;  ///< of Code::moves, by allocation
};

struct Value {
  RegisterClass kind = RegisterClass::General;
  bool is_constant = false;
  bool spills_at_definition = false;  ///< by allocation: its slot is written where it is defined
  BlockIndex block = kNone;           ///< that defines it
  uint32_t slot = kNone;              ///< by allocation: of eight bytes
  uint64_t bits = 0;                  ///< of a constant
};

struct Code {
  std::vector<Value> values;
  std::vector<Block> blocks;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<Edge> edges;
  std::vector<uint32_t> predecessors;  ///< indices of edges
  std::vector<ValueIndex> arguments;
  std::vector<ValueIndex> parameters;
  std::vector<Register> parameter_registers;  ///< by allocation: of `parameters`; kNoRegister: its slot, or it is not needed

  std::vector<Move> moves;       ///< before instructions, in their order
  std::vector<Move> edge_moves;  ///< `at` has no meaning
  uint32_t slot_count = 0;
  RegisterSet used_registers = 0;
};

/// From `offset` on, machine code comes from the place.
struct PlaceRow {
  uint32_t offset = 0;  ///< in bytes from the start of the code; ascending
  uint32_t place = 0;   ///< Instruction::place; another one than in the row before
};

/// How often a block runs, roughly: to compare.
inline uint32_t frequency(const Block& block) { return block.is_cold ? 0 : block.frequency; }

}  // namespace mangata::jit::quick
