// What was decided, and why: --jit-log for people, JSON lines for programs and for replaying (--record-decisions).
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/region/region_outcome.h"
#include "runtime/output/output_errors.h"
#include "runtime/tiering/cost_model.h"
#include "runtime/tiering/policy.h"

namespace mangata {

/// What following a decision was expected to cost, and has cost.
struct DecisionCost {
  PredictedCost predicted;  ///< before it was followed
  uint32_t compiled = 0;     ///< times something was compiled
  double milliseconds = 0;   ///< of compiling
  uint64_t code_bytes = 0;   ///< new machine code
  bool cache_is_full = false;  ///< no machine code was made, for want of room
  double nanoseconds_per_event = 0;  ///< of the program, per call and backedge since the last decision about the function; 0: none
};

/// A function, as logs name it.
struct FunctionName {
  std::string name = "?", source = "?";  ///< "?": not known
  int32_t line = -1;  ///< where it was defined; -1: not known
};

/// Where a region was left, over the whole run.
struct ExitsRecord {
  struct Exit {
    uint64_t count = 0;  ///< times it was taken
    std::string why;  ///< the reason
    std::string source;  ///< empty: it is known no more closely
    int32_t line = -1, pc = -1;  ///< where baseline code goes on
    std::string opcode;          ///< there
  };
  FunctionName function;  ///< that the region is of
  jit::RegionPlace place;
  bool is_installed = false;  ///< at the end
  std::optional<uint64_t> entries;  ///< of a loop; of a function they are not known
  uint64_t iterations = 0;  ///< backedges in it
  uint64_t unexpected = 0;  ///< as policies see it
  uint64_t refused = 0;  ///< entries that were refused
  std::vector<Exit> exits;  ///< the most frequent ones
};

/// One line of the log, for a listener in this process. The texts are good during the call.
struct LogEvent {
  enum class Kind : uint8_t {
    Decided,
    Optimized,
    NotOptimized
  };
  Kind kind;
  std::string_view function, source;  ///< name of the function, and its chunk name
  int32_t line;             ///< of the function
  int32_t loop_line;        ///< of the region's loop; -1: none, or the whole function
  std::string_view tier;    ///< that the function is to run in
  bool compiled;            ///< machine code was installed
  uint64_t code_bytes;      ///< of it
  double milliseconds;      ///< of compiling
  std::string_view reason;  ///< of the decision
  std::string_view text;    ///< the line
};

struct LogOptions {
  bool log = false;  ///< --jit-log
  std::string log_file;      ///< empty: stderr; JSON lines when it ends in .json or .jsonl
  std::string record_file;   ///< empty: nothing is recorded
  std::function<void(const LogEvent&)> listener;  ///< null: none
  bool deterministic = false;  ///< logs leave out what differs between runs: times and addresses
  /// Where files that cannot be written are told, those of the log and all others of the run.
  std::shared_ptr<OutputErrors> errors = std::make_shared<OutputErrors>();
};

class DecisionLog {
 public:
  /// The policy outlives it.
  DecisionLog(const LogOptions& options, Policy& policy);

  bool is_on() const { return is_written() || listener_ != nullptr; }
  /// To a file, with paths and all.
  bool is_written() const { return text_.is_open() || json_.is_open() || record_.is_open(); }
  bool is_deterministic() const { return deterministic_; }
  void add(const ProfileSnapshot& snapshot, const Decision& decision, const DecisionCost& cost);
  /// What became of a request for a region.
  void add_region(uint64_t clock, const FunctionName& function, const jit::RegionOutcome& outcome);
  /// Where regions were left: the text for people, the records for programs.
  void add_exits(const std::string& text, const std::vector<ExitsRecord>& records);
  /// The program ends: the last line.
  void add_totals(const std::vector<PolicyTotal>& totals);

 private:
  std::shared_ptr<OutputErrors> errors_;
  OutputFile text_, json_, record_;
  std::function<void(const LogEvent&)> listener_;
  bool deterministic_ = false;
};

/// "baseline + paths over 2 iterations of loop 14"
std::string describe_plan(const ProfileSnapshot& snapshot, const Decision& decision);

/// One line of the log for people, without newline.
std::string describe_decision(const ProfileSnapshot& snapshot, const Decision& decision, const DecisionCost& cost, bool deterministic);

}  // namespace mangata
