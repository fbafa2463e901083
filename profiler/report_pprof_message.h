// A message `Profile` of pprof's profile.proto while it is being written: its tables of strings, functions and locations, and samples.
//
// Invariant: what is equal is in each table once, so ids may be compared. The fields are those of github.com/google/pprof/proto/profile.proto.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "profiler/model/time_profile.h"

namespace mangata {

/// The values of a sample, in this order in every file: pprof merges and compares only files whose sample types are the same.
enum class PprofValue : unsigned char {
  Samples,
  Cpu,
  Paths,
  AllocatedBytes,
  AllocatedObjects,
  Bytecodes
};
inline constexpr size_t kPprofValues = 6;

class PprofValues {
 public:
  uint64_t& operator[](PprofValue value) { return values_[static_cast<size_t>(value)]; }
  const std::array<uint64_t, kPprofValues>& all() const { return values_; }
  bool is_zero() const { return values_ == std::array<uint64_t, kPprofValues>{}; }

 private:
  std::array<uint64_t, kPprofValues> values_ = {};
};

using PprofFunction = uint64_t;  ///< ids, from 1
using PprofLocation = uint64_t;

class PprofMessage {
 public:
  /// `program` is what samples belong to: the only mapping.
  explicit PprofMessage(std::string_view program);

  /// The same id for the same symbol.
  PprofFunction function(const FrameSymbol& symbol);
  PprofFunction function(std::string_view name);  ///< that has no source
  /// `line` 0 or below: not known.
  PprofLocation location(PprofFunction function, int32_t line);

  /// `locations` leaf first. An empty path is no label.
  void add_sample(std::span<const PprofLocation> locations, const PprofValues& values, std::string_view path = {});
  void add_comment(std::string_view text);
  /// When it began, since 1970, and how long it took; the processor time of a sample; what readers show unless told otherwise.
  void set_run(uint64_t start_ns, uint64_t duration_ns, uint64_t period_ns, PprofValue shown);

  /// Not compressed. The message may not be used any more.
  std::string finish();

 private:
  PprofFunction function(std::string_view name, std::string_view file, int32_t line);
  int64_t string(std::string_view text);  ///< its place in the table
  void add_value_type(int field, std::string_view type, std::string_view unit);

  std::string data_;
  std::map<std::string, int64_t, std::less<>> strings_;
  std::string string_table_;  ///< encoded, in the order of their places
  std::map<std::tuple<int64_t, int64_t, int32_t>, PprofFunction> functions_;  ///< by name, file and line
  std::map<std::pair<PprofFunction, int32_t>, PprofLocation> locations_;
};

}  // namespace mangata
