// The format pprof, read by another reader of Protocol Buffers: tables, samples, labels, and what the header says.
#include "profiler/report_pprof.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "profiler/report_frames.h"
#include "profiler/report_gzip.h"
#include "tests/unit/profile_model/literals.h"

namespace mangata {
namespace {

/// What gzip has packed.
std::string unpacked(const std::string& packed) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string data;
  int state = Z_OK;
  while (state == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    state = inflate(&stream, Z_NO_FLUSH);
    data.append(buffer, sizeof buffer - stream.avail_out);
  }
  EXPECT_EQ(state, Z_STREAM_END);
  inflateEnd(&stream);
  return data;
}

struct Sample {
  std::vector<std::string> stack;  ///< leaf first, as "name@file:start line:line"
  std::vector<int64_t> values;
  std::string path;
  friend bool operator==(const Sample&, const Sample&) = default;
};

/// The file, with its tables resolved. Numbers of fields are those of profile.proto.
struct Decoded {
  std::vector<std::string> strings;
  std::vector<std::pair<std::string, std::string>> types;
  std::vector<Sample> samples;
  std::vector<std::string> comments;
  std::string program, default_type, period_type;
  bool has_functions = false;
  int64_t time = 0, duration = 0, period = 0;
};

using Reader = protozero::pbf_reader;

std::map<unsigned, int64_t> numbers_of(Reader message) {
  std::map<unsigned, int64_t> numbers;
  while (message.next()) {
    if (message.wire_type() == protozero::pbf_wire_type::varint) {
      numbers[message.tag()] = message.get_int64();
    } else {
      message.skip();
    }
  }
  return numbers;
}

std::map<int64_t, std::string> functions_of(const std::string& data, const Decoded& decoded) {
  std::map<int64_t, std::string> functions;
  Reader reader(data);
  while (reader.next(5)) {
    auto fields = numbers_of(reader.get_message());
    EXPECT_EQ(fields[3], 0) << "a system name lets pprof shorten names";
    const std::string text = decoded.strings.at(fields[2]) + "@" + decoded.strings.at(fields[4]) + ":" + std::to_string(fields[5]);
    EXPECT_TRUE(functions.emplace(fields[1], text).second);
  }
  EXPECT_FALSE(functions.contains(0));
  return functions;
}

std::map<int64_t, std::string> locations_of(const std::string& data, const Decoded& decoded) {
  const std::map<int64_t, std::string> functions = functions_of(data, decoded);
  std::map<int64_t, std::string> locations;
  Reader reader(data);
  while (reader.next(4)) {
    Reader location = reader.get_message();
    auto fields = numbers_of(location);
    EXPECT_EQ(fields[2], 1) << "the mapping";
    EXPECT_TRUE(location.next(4));
    auto line = numbers_of(location.get_message());
    EXPECT_TRUE(locations.emplace(fields[1], functions.at(line[1]) + ":" + std::to_string(line[2])).second);
  }
  EXPECT_FALSE(locations.contains(0));
  return locations;
}

Decoded decode(const RunProfile& profile, const ReportOptions& options = {}) {
  const std::string data = unpacked(write_pprof_report(profile, options));
  Decoded decoded;
  for (Reader reader(data); reader.next(6);) decoded.strings.push_back(reader.get_string());
  EXPECT_EQ(decoded.strings.at(0), "");
  const auto text = [&decoded](int64_t place) { return decoded.strings.at(static_cast<size_t>(place)); };
  const std::map<int64_t, std::string> locations = locations_of(data, decoded);
  for (Reader reader(data); reader.next();) {
    if (reader.tag() == 1 || reader.tag() == 11) {
      const bool is_period = reader.tag() == 11;
      auto type = numbers_of(reader.get_message());
      if (is_period) {
        decoded.period_type = text(type[1]) + "/" + text(type[2]);
      } else {
        decoded.types.emplace_back(text(type[1]), text(type[2]));
      }
    } else if (reader.tag() == 2) {
      Sample sample;
      for (Reader message = reader.get_message(); message.next();) {
        if (message.tag() == 1) {
          for (const uint64_t id : message.get_packed_uint64()) sample.stack.push_back(locations.at(static_cast<int64_t>(id)));
        } else if (message.tag() == 2) {
          for (const int64_t value : message.get_packed_int64()) sample.values.push_back(value);
        } else {
          auto label = numbers_of(message.get_message());
          EXPECT_EQ(text(label[1]), "path");
          sample.path = text(label[2]);
        }
      }
      decoded.samples.push_back(std::move(sample));
    } else if (reader.tag() == 3) {
      auto mapping = numbers_of(reader.get_message());
      decoded.program = text(mapping[5]);
      decoded.has_functions = mapping[7] == 1 && mapping[8] == 1 && mapping[9] == 1;
    } else if (reader.tag() == 13) {
      decoded.comments.push_back(text(reader.get_int64()));
    } else if (reader.tag() == 9) {
      decoded.time = reader.get_int64();
    } else if (reader.tag() == 10) {
      decoded.duration = reader.get_int64();
    } else if (reader.tag() == 12) {
      decoded.period = reader.get_int64();
    } else if (reader.tag() == 14) {
      decoded.default_type = text(reader.get_int64());
    } else {
      reader.skip();
    }
  }
  return decoded;
}

const std::string kMain = "main chunk (a.lua)@a.lua:1:", kF = "f (a.lua:10)@a.lua:10:";

TEST(Pprof, HasStacksLeafFirstAndExactCountsByPath) {
  RunProfile profile = two_functions({stack_of({{0, 1}, {2, -1}, {1, 12}}, 3), stack_of({{0, 7}}, 2)});
  profile.time->stacks[1].is_shortened = true;
  profile.time->invalid_samples = 1;
  profile.time->invalid_ns = 500;
  profile.has_allocations = true;
  profile.paths.functions[1].paths[0].allocated_bytes = 48;
  profile.paths.functions[1].paths[0].allocated_objects = 2;
  profile.paths.functions[1].paths[1].path.start_line = 11;
  const Decoded decoded = decode(profile);
  const std::vector<std::pair<std::string, std::string>> types = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"paths", "count"}, {"alloc_space", "bytes"}, {"alloc_objects", "count"}, {"bytecodes", "count"}};
  EXPECT_EQ(decoded.types, types);
  const std::vector<Sample> samples = {{{kF + "12", "[C] pcall@:0:0", kMain + "1"}, {3, 3'000'000, 0, 0, 0, 0}, ""},
                                       {{kMain + "7", "[more]@:0:0"}, {2, 2'000'000, 0, 0, 0, 0}, ""},
                                       {{"[invalid samples]@:0:0"}, {1, 500, 0, 0, 0, 0}, ""},
                                       {{kF + "10"}, {0, 0, 5, 48, 2, 40}, "a.lua:10 entry > return"},
                                       {{kMain + "1"}, {0, 0, 1, 0, 0, 20}, "a.lua:1 entry > return"},
                                       {{kF + "11"}, {0, 0, 5, 0, 0, 10}, "a.lua:10 loop 11 > return"}};
  ASSERT_EQ(decoded.samples.size(), samples.size());
  for (const Sample& sample : samples) {
    EXPECT_NE(std::find(decoded.samples.begin(), decoded.samples.end(), sample), decoded.samples.end()) << sample.stack[0] << " " << sample.path;
  }
  EXPECT_EQ(decoded.default_type, "cpu");
}

TEST(Pprof, TellsOfTheRun) {
  RunProfile profile = two_functions({stack_of({{0, 1}}, 2)});
  profile.time->wall_ns = 77;
  profile.runs = {{{"mangata", "b.lua"}, "0.1.0", "2026-11-24T10:00:05Z", "adaptive", 0}, {{"mangata", "a.lua"}, "0.1.0", "2026-11-24T10:00:00Z", "adaptive", 0}};
  const Decoded decoded = decode(profile);
  EXPECT_EQ(decoded.program, "mangata");
  EXPECT_TRUE(decoded.has_functions);
  EXPECT_EQ(decoded.time, 1'795'514'400'000'000'000) << "the first of the runs";
  EXPECT_EQ(decoded.duration, 77);
  EXPECT_EQ(decoded.period, 1'000'000);
  EXPECT_EQ(decoded.period_type, "cpu/nanoseconds");
  ASSERT_GE(decoded.comments.size(), 3u);
  EXPECT_EQ(decoded.comments[0], "Mangata 0.1.0: mangata b.lua");
  EXPECT_NE(decoded.comments[2].find("without a call stack"), std::string::npos);
}

TEST(Pprof, WithoutTimeShowsPaths) {
  RunProfile profile = two_functions({});
  profile.time.reset();
  const Decoded decoded = decode(profile);
  EXPECT_EQ(decoded.default_type, "paths");
  EXPECT_EQ(decoded.samples.size(), 3u);
  EXPECT_EQ(decoded.period_type, "cpu/nanoseconds") << "files merge only with those of equal types";
  for (const Sample& sample : decoded.samples) EXPECT_EQ(sample.values[1], 0);
}

TEST(Pprof, TellsEstimatesFromExactCounts) {
  RunProfile profile = two_functions({});
  EXPECT_TRUE(decode(profile).comments.at(0).starts_with("Exact counts"));
  profile.paths.is_estimate = true;
  EXPECT_TRUE(decode(profile).comments.at(0).starts_with("Counts, estimates scaled up"));
}

TEST(Pprof, WhatOptionsHideHasNoLabelButCounts) {
  RunProfile profile = two_functions({});
  ReportOptions options;
  options.function_glob = "main*";
  const Decoded decoded = decode(profile, options);
  const Sample rest = {{kF + "10"}, {0, 0, 10, 0, 0, 50}, ""};
  ASSERT_EQ(decoded.samples.size(), 2u);
  EXPECT_EQ(decoded.samples[0].path, "a.lua:1 entry > return");
  EXPECT_EQ(decoded.samples[1], rest);
}

TEST(Pprof, PathsOfOneDescriptionStayApart) {
  RunProfile profile = two_functions({});
  profile.paths.functions[1].paths = {path_of("E:1:X", 5, 8), path_of("E:0:X", 4, 8)};
  const Decoded decoded = decode(profile);
  std::map<std::string, int64_t> counts;
  for (const Sample& sample : decoded.samples) counts[sample.path] += sample.values[2];
  const std::map<std::string, int64_t> expected = {
      {"a.lua:1 entry > return", 1}, {"a.lua:10 entry > return", 5}, {"a.lua:10 entry > return [E:0:X]", 4}};
  EXPECT_EQ(counts, expected);
}

TEST(Pprof, OverflowingValuesAreTheLargest) {
  RunProfile profile = two_functions({});
  profile.paths.functions.resize(1);
  profile.paths.functions[0].paths[0].count = UINT64_MAX;
  profile.paths.functions[0].paths[0].path.bytecodes = 1;
  EXPECT_EQ(decode(profile).samples.at(0).values, (std::vector<int64_t>{0, 0, INT64_MAX, 0, 0, INT64_MAX}));
}

TEST(Frames, HaveNamesInOneLineOfUtf8) {
  EXPECT_EQ(one_line("a\nb\x7F\tc"), "a b  c");
  EXPECT_EQ(one_line("\xC3\xA5 \xF0\x9F\x8C\x99 \xFF \xC3"), "\xC3\xA5 \xF0\x9F\x8C\x99 ? ?");
  EXPECT_EQ(one_line("\xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xE0\x80\x80"), "?? ??? ???? ???");
  FrameSymbol symbol = {FrameKind::Lua, "function <a.lua:3>", "", "@a.lua", "a.lua", 3};
  EXPECT_EQ(frame_name(symbol), "function <a.lua:3>");
  symbol.column_defined = 20;
  EXPECT_EQ(frame_name(symbol), "function <a.lua:3> (a.lua:3:20)");
  EXPECT_EQ(frame_name(native("string.rep")), "[C] string.rep");
  EXPECT_EQ(frame_name(other(FrameKind::Collector)), "[collector]");
}

TEST(Gzip, PacksWhatCanBeUnpacked) {
  std::string data;
  for (uint64_t i = 0; i < 20'000; ++i) data += std::to_string(i * i);
  for (const std::string& text : {std::string(), std::string("a"), data}) EXPECT_EQ(unpacked(gzipped(text)), text);
  EXPECT_LT(gzipped(data).size(), data.size());
  EXPECT_EQ(gzipped(data), gzipped(data));
}

}  // namespace
}  // namespace mangata
