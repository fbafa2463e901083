#include "numbering/result.h"

namespace mangata::numbering {

std::string describe(const NumberingError& error) {
  const std::string where = std::to_string(error.where);
  switch (error.kind) {
    case ErrorKind::BadBlock:
      return "a block that does not exist is named (at " + where + ")";
    case ErrorKind::ExitHasSuccessor:
      return "the exit block has a successor (edge " + where + ")";
    case ErrorKind::DeadEnd:
      return "block " + where + " is reachable, is not the exit, and has no successor";
    case ErrorKind::TooLarge:
      return "the graph is too large";
    case ErrorKind::BadLoop:
      return "loop " + where + " does not fit the graph";
    case ErrorKind::UncutCycle:
      return "no loop cuts a cycle through block " + where;
    case ErrorKind::BadIterations:
      return "loop " + where + " cannot be profiled over that number of iterations";
    case ErrorKind::PathLimit:
      return "more paths than the limit (at node " + where + ")";
    case ErrorKind::BadPathNumber:
      return "no such path";
    case ErrorKind::BadWeights:
      return "edge " + where + " has no usable weight";
  }
  return "unknown error";
}

}  // namespace mangata::numbering
