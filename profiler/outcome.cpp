#include "profiler/outcome.h"

namespace mangata {

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::True: return "T";
    case Outcome::False: return "F";
    case Outcome::Loop: return "loop";
    case Outcome::Done: return "done";
    case Outcome::Enter: return "enter";
    case Outcome::Skip: return "skip";
  }
  return "?";
}

}  // namespace mangata
