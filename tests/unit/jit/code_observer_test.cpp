#include "jit/observers/code_observer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "jit/observers/jitdump.h"
#include "jit/observers/perf_map.h"

namespace mangata {
namespace {

/// A directory of its own for each test, gone with it.
class CodeObserverFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "mangata-observer-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr uint8_t kCode[] = {0x48, 0x83, 0xEC, 0x08, 0x31, 0xC0, 0x48, 0x83, 0xC4, 0x08, 0xC3};

CodeDescription fib() {
  return {.start = kCode,
          .size_bytes = sizeof kCode,
          .name = "fib",
          .source = "lib/fib.lua",
          .line_defined = 3,
          .lines = {{0, 3}, {4, 4}, {6, 5}}};
}

/// Reads what a ByteWriter wrote.
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <typename T>
  T get() {
    T value{};
    if (at_ + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string string() {
    const std::string text = bytes_.substr(at_, bytes_.find('\0', at_) - at_);
    at_ += text.size() + 1;
    return text;
  }
  std::string raw(size_t count) {
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  size_t at() const { return at_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

TEST(SymbolName, SaysWhatIsKnown) {
  EXPECT_EQ(symbol_name(fib()), "lua:fib@lib/fib.lua:3");
  EXPECT_EQ(symbol_name({.name = "(entry)"}), "lua:(entry)");
  EXPECT_EQ(symbol_name({.name = "f", .source = "two\nlines\t", .line_defined = 1}), "lua:f@two?lines?:1");
}

TEST_F(CodeObserverFiles, PerfMapHasOneLineForEachRegion) {
  PerfMap map(directory_);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.path(), directory_ + "/perf-" + std::to_string(getpid()) + ".map");
  map.code_added(fib());
  CodeDescription entry{.start = kCode + 4, .size_bytes = 4096, .name = "(entry)"};
  map.code_added(entry);
  map.code_removed(kCode);
  std::istringstream lines(contents(map.path()));  // complete while the program still runs
  size_t start = 0, size = 0;
  std::string name;
  ASSERT_TRUE(lines >> std::hex >> start >> size >> name);
  EXPECT_EQ(start, reinterpret_cast<size_t>(kCode));
  EXPECT_EQ(size, sizeof kCode);
  EXPECT_EQ(name, "lua:fib@lib/fib.lua:3");
  ASSERT_TRUE(lines >> std::hex >> start >> size >> name);
  EXPECT_EQ(start, reinterpret_cast<size_t>(kCode + 4));
  EXPECT_EQ(size, 0x1000u);
  EXPECT_EQ(name, "lua:(entry)");
  EXPECT_FALSE(lines >> name);
}

int32_t number_at(const std::string& bytes, size_t at) {
  int32_t number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// .eh_frame and, at `header`, .eh_frame_hdr: that their addresses lead from where they stand, behind the code, to each other.
void expect_frames(const std::string& frames, size_t header, size_t code_bytes) {
  const auto behind_code = static_cast<int32_t>((code_bytes + 7) / 8 * 8);
  const auto description = static_cast<size_t>(number_at(frames, 0)) + 4;
  const auto pc_field = description + 8, pointer_field = header + 4;
  EXPECT_EQ(number_at(frames, description + 4), static_cast<int32_t>(description + 4));
  EXPECT_EQ(number_at(frames, pc_field) + static_cast<int32_t>(pc_field) + behind_code, 0);
  EXPECT_EQ(number_at(frames, pc_field + 4), static_cast<int32_t>(code_bytes));
  EXPECT_EQ(number_at(frames, header), 0x3B031B01);
  EXPECT_EQ(number_at(frames, pointer_field) + static_cast<int32_t>(pointer_field), 0);
  EXPECT_EQ(number_at(frames, header + 8), 1);
  EXPECT_EQ(number_at(frames, header + 12) + static_cast<int32_t>(header) + behind_code, 0);
  EXPECT_EQ(number_at(frames, header + 16) + static_cast<int32_t>(header), static_cast<int32_t>(description));
  EXPECT_EQ(frames.size(), header + 20);
}

/// The header of a jitdump. Returns when it was made.
uint64_t expect_header(Reader& file) {
  EXPECT_EQ(file.get<uint32_t>(), 0x4A695444u);
  EXPECT_EQ(file.get<uint32_t>(), 1u);
  EXPECT_EQ(file.get<uint32_t>(), 40u);
  EXPECT_EQ(file.get<uint32_t>(), 62u);
  EXPECT_EQ(file.get<uint32_t>(), 0u);
  EXPECT_EQ(file.get<uint32_t>(), static_cast<uint32_t>(getpid()));
  const auto time = file.get<uint64_t>();
  EXPECT_EQ(file.get<uint64_t>(), 0u);
  return time;
}

TEST_F(CodeObserverFiles, JitdumpHasLinesCodeAndAnEnd) {
  {
    Jitdump dump(directory_);
    ASSERT_TRUE(dump.ok());
    // perf learns of the file from an executable mapping of it.
    EXPECT_NE(contents("/proc/self/maps").find(dump.path()), std::string::npos);
    dump.code_added(fib());
    dump.code_added({.start = kCode + 6, .size_bytes = 5, .name = "(entry)"});
  }
  const auto path = directory_ + "/jit-" + std::to_string(getpid()) + ".dump";
  EXPECT_EQ(contents("/proc/self/maps").find(path), std::string::npos);
  Reader file(contents(path));
  uint64_t last_time = expect_header(file);
  const auto start_of_record = [&](uint32_t kind) {
    EXPECT_EQ(file.get<uint32_t>(), kind);
    const size_t end = file.at() - 4 + file.get<uint32_t>();
    const auto time = file.get<uint64_t>();
    EXPECT_GE(time, last_time);
    last_time = time;
    return end;
  };
  const auto start = reinterpret_cast<uint64_t>(kCode);

  size_t end = start_of_record(2);
  EXPECT_EQ(file.get<uint64_t>(), start);
  ASSERT_EQ(file.get<uint64_t>(), 3u);
  for (const CodeLine& row : fib().lines) {
    EXPECT_EQ(file.get<uint64_t>(), start + row.offset);
    EXPECT_EQ(file.get<int32_t>(), row.line);
    EXPECT_EQ(file.get<uint32_t>(), 0u);
    EXPECT_EQ(file.string(), "lib/fib.lua");
  }
  EXPECT_EQ(file.at(), end);

  const struct {
    uint64_t start, size;
    std::string name;
  } regions[] = {{start, sizeof kCode, "lua:fib@lib/fib.lua:3"}, {start + 6, 5, "lua:(entry)"}};
  for (uint64_t index = 0; index < 2; ++index) {
    const auto& region = regions[index];
    end = start_of_record(4);
    const auto frames_bytes = file.get<uint64_t>(), header_bytes = file.get<uint64_t>();
    EXPECT_EQ(file.get<uint64_t>(), frames_bytes);
    const std::string frames = file.raw(frames_bytes);
    expect_frames(frames, frames_bytes - header_bytes, region.size);
    while (file.at() < end) EXPECT_EQ(file.get<uint8_t>(), 0u);
    end = start_of_record(0);
    EXPECT_EQ(file.get<uint32_t>(), static_cast<uint32_t>(getpid()));
    EXPECT_NE(file.get<uint32_t>(), 0u);
    EXPECT_EQ(file.get<uint64_t>(), region.start);
    EXPECT_EQ(file.get<uint64_t>(), region.start);
    EXPECT_EQ(file.get<uint64_t>(), region.size);
    EXPECT_EQ(file.get<uint64_t>(), index);
    EXPECT_EQ(file.string(), region.name);
    EXPECT_EQ(file.raw(region.size), std::string(reinterpret_cast<const char*>(region.start), region.size));
    EXPECT_EQ(file.at(), end);
  }

  end = start_of_record(3);
  EXPECT_EQ(file.at(), end);
  EXPECT_TRUE(file.at_end());
}

TEST_F(CodeObserverFiles, AFileThatCannotBeWrittenIsAnError) {
  PerfMap map(directory_ + "/nowhere");
  EXPECT_FALSE(map.ok());
  Jitdump dump(directory_ + "/nowhere");
  EXPECT_FALSE(dump.ok());
  // Nobody else's file is overwritten through a link planted under the predictable name.
  const std::string path = directory_ + "/perf-" + std::to_string(getpid()) + ".map";
  std::ofstream(directory_ + "/precious") << "precious";
  std::filesystem::create_symlink(directory_ + "/precious", path);
  EXPECT_FALSE(PerfMap(directory_).ok());
  EXPECT_EQ(contents(directory_ + "/precious"), "precious");
}

TEST(CodeObservers, AreNoneByDefault) {
  EXPECT_TRUE(CodeObservers().empty());
  EXPECT_TRUE(CodeObservers(CodeObserverOptions{}).empty());
  CodeObservers gdb(CodeObserverOptions{.gdb = true});
  EXPECT_FALSE(gdb.empty());
  gdb.code_added(fib());
  gdb.code_removed(kCode);
}

}  // namespace
}  // namespace mangata
