#include "profiler/outcome.h"

namespace mangata {

Outcome outcome_of(BranchKind branch, bool taken) {
  switch (branch) {
    case BranchKind::FalseIfTaken: return taken ? Outcome::False : Outcome::True;
    case BranchKind::LoopIfTaken: return taken ? Outcome::Loop : Outcome::Done;
    case BranchKind::SkipIfTaken: return taken ? Outcome::Skip : Outcome::Enter;
    default: return taken ? Outcome::True : Outcome::False;
  }
}

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
