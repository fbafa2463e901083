// Which tiering policy runs, and its parameters: the value of --policy=NAME[:KEY=VALUE,...].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mangata {

struct PolicySpec {
  enum class Kind : unsigned char {
    Interpreter,  ///< nothing is compiled
    Baseline,     ///< every function is compiled at its first call
    Counter,      ///< a function is compiled once it was called `entry` times, or its loops have iterated `loop` times
  };
  Kind kind = Kind::Counter;
  // Compiling costs about as much as interpreting a function's code some dozen times.
  int32_t entry = 20;
  int32_t loop = 60;
};

/// False: *error says what is wrong.
bool parse_policy(std::string_view text, PolicySpec* spec, std::string* error);

/// For testing, --stress=schedule:SEED or --stress=resume.
struct StressSpec {
  enum class Kind : unsigned char {
    None,
    Schedule,  ///< functions are compiled after a random number of calls and iterations; frames change tier at random
    Resume,    ///< compiled frames go on in the interpreter after every runtime call, and return at the next backedge or call
  };
  Kind kind = Kind::None;
  uint64_t seed = 0;
};

bool parse_stress(std::string_view text, StressSpec* spec, std::string* error);

}  // namespace mangata
