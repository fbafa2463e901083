// What a function has done so far, in events and in time.
#pragma once

#include <cstdint>

namespace mangata {

struct RunSoFar {
  uint64_t events = 0;     ///< its calls and backedges, whatever was installed
  double nanoseconds = 0;  ///< of the program, in which these happened
};

}  // namespace mangata
