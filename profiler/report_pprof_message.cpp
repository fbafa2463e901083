#include "profiler/report_pprof_message.h"

#include <algorithm>
#include <limits>
#include <protozero/pbf_builder.hpp>

#include "profiler/report_frames.h"

namespace mangata {
namespace {

using Tag = protozero::pbf_tag_type;
enum class ProfileField : Tag {
  SampleType = 1,
  Sample = 2,
  Mapping = 3,
  Location = 4,
  Function = 5,
  StringTable = 6,
  TimeNanos = 9,
  DurationNanos = 10,
  PeriodType = 11,
  Period = 12,
  Comment = 13,
  DefaultSampleType = 14,
};
enum class ValueTypeField : Tag {
  Type = 1,
  Unit = 2
};
enum class SampleField : Tag {
  LocationId = 1,
  Value = 2,
  Label = 3
};
enum class LabelField : Tag {
  Key = 1,
  Text = 2
};
enum class MappingField : Tag {
  Id = 1,
  Filename = 5,
  HasFunctions = 7,
  HasFilenames = 8,
  HasLineNumbers = 9
};
enum class LocationField : Tag {
  Id = 1,
  MappingId = 2,
  Line = 4
};
enum class LineField : Tag {
  FunctionId = 1,
  Line = 2
};
/// Without a system name: pprof takes one that is equal to the name for C++, and <...> off it.
enum class FunctionField : Tag {
  Id = 1,
  Name = 2,
  Filename = 4,
  StartLine = 5
};

template <class Field>
using Builder = protozero::pbf_builder<Field>;

constexpr uint64_t kProgram = 1;  ///< the mapping

struct ValueType {
  std::string_view type, unit;
};
constexpr ValueType kValueTypes[kPprofValues] = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"paths", "count"}, {"alloc_space", "bytes"}, {"alloc_objects", "count"}, {"bytecodes", "count"}};

/// The file has signed numbers.
int64_t as_signed(uint64_t value) { return static_cast<int64_t>(std::min<uint64_t>(value, std::numeric_limits<int64_t>::max())); }

}  // namespace

PprofMessage::PprofMessage(std::string_view program) {
  string("");  // by definition the first
  for (const auto& [type, unit] : kValueTypes) add_value_type(static_cast<int>(ProfileField::SampleType), type, unit);
  const int64_t name = string(program);
  Builder<ProfileField> profile(data_);
  Builder<MappingField> mapping(profile, ProfileField::Mapping);
  mapping.add_uint64(MappingField::Id, kProgram);
  mapping.add_int64(MappingField::Filename, name);
  mapping.add_bool(MappingField::HasFunctions, true);
  mapping.add_bool(MappingField::HasFilenames, true);
  mapping.add_bool(MappingField::HasLineNumbers, true);
}

int64_t PprofMessage::string(std::string_view text) {
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  const auto place = static_cast<int64_t>(strings_.size());
  strings_.emplace(text, place);
  Builder<ProfileField>(string_table_).add_string(ProfileField::StringTable, text.data(), text.size());
  return place;
}

void PprofMessage::add_value_type(int field, std::string_view type, std::string_view unit) {
  const int64_t type_name = string(type), unit_name = string(unit);
  Builder<ProfileField> profile(data_);
  Builder<ValueTypeField> value_type(profile, static_cast<ProfileField>(field));
  value_type.add_int64(ValueTypeField::Type, type_name);
  value_type.add_int64(ValueTypeField::Unit, unit_name);
}

PprofFunction PprofMessage::function(const FrameSymbol& symbol) {
  return function(frame_name(symbol), frame_file(symbol), frame_line(symbol));
}

PprofFunction PprofMessage::function(std::string_view name) { return function(name, "", 0); }

PprofFunction PprofMessage::function(std::string_view name, std::string_view file, int32_t line) {
  const int64_t name_place = string(name), file_place = string(file);
  const auto [place, is_new] = functions_.try_emplace({name_place, file_place, line}, functions_.size() + 1);
  if (!is_new) return place->second;
  Builder<ProfileField> profile(data_);
  Builder<FunctionField> function(profile, ProfileField::Function);
  function.add_uint64(FunctionField::Id, place->second);
  function.add_int64(FunctionField::Name, name_place);
  function.add_int64(FunctionField::Filename, file_place);
  function.add_int64(FunctionField::StartLine, line);
  return place->second;
}

PprofLocation PprofMessage::location(PprofFunction function, int32_t line) {
  const int32_t known_line = std::max(line, 0);
  const auto [place, is_new] = locations_.try_emplace({function, known_line}, locations_.size() + 1);
  if (!is_new) return place->second;
  Builder<ProfileField> profile(data_);
  Builder<LocationField> location(profile, ProfileField::Location);
  location.add_uint64(LocationField::Id, place->second);
  location.add_uint64(LocationField::MappingId, kProgram);
  Builder<LineField> inner(location, LocationField::Line);
  inner.add_uint64(LineField::FunctionId, function);
  inner.add_int64(LineField::Line, known_line);
  return place->second;
}

void PprofMessage::add_sample(std::span<const PprofLocation> locations, const PprofValues& values, std::string_view path) {
  std::array<int64_t, kPprofValues> numbers;
  std::transform(values.all().begin(), values.all().end(), numbers.begin(), as_signed);
  const int64_t key = path.empty() ? 0 : string("path"), text = path.empty() ? 0 : string(path);
  Builder<ProfileField> profile(data_);
  Builder<SampleField> sample(profile, ProfileField::Sample);
  sample.add_packed_uint64(SampleField::LocationId, locations.begin(), locations.end());
  sample.add_packed_int64(SampleField::Value, numbers.begin(), numbers.end());
  if (path.empty()) return;
  Builder<LabelField> label(sample, SampleField::Label);
  label.add_int64(LabelField::Key, key);
  label.add_int64(LabelField::Text, text);
}

void PprofMessage::add_comment(std::string_view text) {
  const int64_t place = string(text);
  Builder<ProfileField>(data_).add_int64(ProfileField::Comment, place);
}

void PprofMessage::set_run(uint64_t start_ns, uint64_t duration_ns, uint64_t period_ns, PprofValue shown) {
  const ValueType& cpu = kValueTypes[static_cast<size_t>(PprofValue::Cpu)];
  add_value_type(static_cast<int>(ProfileField::PeriodType), cpu.type, cpu.unit);
  const int64_t shown_type = string(kValueTypes[static_cast<size_t>(shown)].type);
  Builder<ProfileField> profile(data_);
  profile.add_int64(ProfileField::TimeNanos, as_signed(start_ns));
  profile.add_int64(ProfileField::DurationNanos, as_signed(duration_ns));
  profile.add_int64(ProfileField::Period, as_signed(period_ns));
  profile.add_int64(ProfileField::DefaultSampleType, shown_type);
}

std::string PprofMessage::finish() { return std::move(data_) + string_table_; }

}  // namespace mangata
