// The golden vectors, the project's own and the shared ones, when they are there.
#include <gtest/gtest.h>

#include "tests/unit/numbering/golden_check.h"

namespace mangata::numbering::testing {
namespace {

TEST(GoldenVectors, AllFormsAgreeWithThem) {
  std::string missing;
  size_t vectors = 0;
  for (const std::string& name : golden_files(&missing)) {
    const GoldenFile file = read_golden_file(name);
    for (const std::string& error : file.errors) ADD_FAILURE() << name << ": " << error;
    for (const GoldenVector& vector : file.vectors) {
      ++vectors;
      EXPECT_EQ(check_vector(vector), "") << vector.name;
    }
  }
  EXPECT_GT(vectors, 0u);
  if (!missing.empty())
    GTEST_SKIP() << "no folder " << missing << ": only the project's own " << vectors << " vectors";
}

TEST(GoldenVectors, MalformedVectorsAreErrorsNeverCrashes) {
  const GoldenFile file =
      read_golden_file(MANGATA_SOURCE_DIR "/tests/golden/numbering/malformed/malformed.json");
  size_t accepted = 0;
  for (const GoldenVector& vector : file.vectors) {
    ++accepted;
    EXPECT_NE(check_vector(vector), "") << vector.name;
  }
  EXPECT_EQ(file.errors.size() + accepted, 22u);
  EXPECT_FALSE(read_golden_file("/nowhere.json").errors.empty());
  EXPECT_FALSE(read_golden_file(MANGATA_SOURCE_DIR "/CMakeLists.txt").errors.empty());
}

}  // namespace
}  // namespace mangata::numbering::testing
