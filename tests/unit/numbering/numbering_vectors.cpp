// numbering_vectors FILE...: checks vector files against the library. numbering_vectors --make SEED COUNT
// writes new ones. Exit code 0 when every vector passes, 1 when one differs or is malformed, 2 when no file
// is given.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/unit/numbering/golden_check.h"

int main(int argc, char** argv) {
  using namespace mangata::numbering::testing;
  if (argc < 2) {
    std::fprintf(stderr, "usage: numbering_vectors FILE... | --make SEED COUNT\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "--make" && argc == 4) {
    std::fputs(
        make_golden_vectors(std::strtoull(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10)).c_str(),
        stdout);
    return 0;
  }
  size_t passed = 0, failed = 0, malformed = 0, traces = 0, listed_paths = 0, preferential = 0;
  for (int i = 1; i < argc; ++i) {
    const GoldenFile file = read_golden_file(argv[i]);
    for (const std::string& error : file.errors) {
      std::printf("%s: malformed: %s\n", argv[i], error.c_str());
      ++malformed;
    }
    for (const GoldenVector& vector : file.vectors) {
      const std::string difference = check_vector(vector);
      if (difference.empty()) {
        ++passed;
      } else {
        ++failed;
        std::printf("%s: %s: FAILED: %s\n", argv[i], vector.name.c_str(), difference.c_str());
      }
      traces += vector.traces.size();
      listed_paths += vector.paths.size();
      preferential += vector.preferential.has_value();
    }
  }
  std::printf(
      "%zu vectors passed, %zu failed, %zu malformed (%zu listed paths, %zu traces, %zu preferential)\n",
      passed, failed, malformed, listed_paths, traces, preferential);
  return failed + malformed == 0 ? 0 : 1;
}
