// bench/suite/alternating_branch.lua, as a C++ programmer would write it.
#include <vector>

#include "bench/native/native.h"

namespace mangata::native {
namespace {

int64_t weave(int64_t rounds) {
  int64_t left = 0, right = 1, knots = 0, beat = 0;
  bool turn = false;
  for (int64_t i = 1; i <= rounds; ++i) {
    if (turn) {
      left = floor_mod(left + right, 8191);
    } else {
      right = floor_mod(right * 5 + i, 8191);
    }
    turn = !turn;
    if (beat == 2) {
      knots = floor_mod(knots + left - right, 8191);
      beat = 0;
    } else {
      ++beat;
    }
  }
  return left * 8191 + right + knots;
}

int64_t checkerboard(int64_t cells, int64_t rounds) {
  std::vector<int64_t> row(static_cast<size_t>(cells) + 1);
  for (int64_t i = 1; i <= cells; ++i) row[static_cast<size_t>(i)] = i * 13 % 17;
  for (int64_t round = 0; round < rounds; ++round) {
    for (size_t i = 2; i < static_cast<size_t>(cells); ++i) {
      row[i] = i % 2 == 0 ? floor_mod(row[i - 1] + row[i + 1], 257) : floor_mod(row[i] * 2 + 1, 257);
    }
  }
  int64_t sum = 0;
  for (int64_t i = 1; i <= cells; ++i) sum += row[static_cast<size_t>(i)] * i;
  return sum;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  for (int64_t i = repetitions(count, arguments, 130); i > 0; --i) {
    expect(weave(unknown<int64_t>(200000)), 8260721);
    expect(checkerboard(unknown<int64_t>(500), unknown<int64_t>(150)), 17968843);
  }
}
