#include "profiler/coverage/model/condition.h"

namespace mangata::coverage {

const char* never(Outcome outcome) {
  switch (outcome) {
    case Outcome::True: return "never true";
    case Outcome::False: return "never false";
    case Outcome::Loop: return "never repeated";
    case Outcome::Done: return "never finished";
    case Outcome::Enter: return "never entered";
    case Outcome::Skip: return "never skipped";
  }
  return "";
}

}  // namespace mangata::coverage
