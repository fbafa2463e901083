// How much of what could be in a region is: tried from the most to the least until it is small enough (orc_session.cpp).
#pragma once

#include <cstddef>

namespace mangata::jit {

struct InliningLimits {
  size_t level;   ///< how many calls are inlined: of kInliningLevels (jit/region/region_benefit.h)
  bool cases;     ///< accesses of fields of several shapes split the walk
  bool contexts;  ///< otherwise all code is generic
  size_t versions;  ///< of generic code for one leader, by what is known there
  bool is_interim = false;  ///< a loop is left when it has run for long enough (RegionCode::upgrade_at)
};

}  // namespace mangata::jit
