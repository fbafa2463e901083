// bench/suite/mandelbrot.lua, as a C++ programmer would write it.
#include "bench/native/native.h"

namespace mangata::native {
namespace {

int escape_time(double cr, double ci, int limit) {
  double zr = 0, zi = 0;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    const double zr2 = zr * zr, zi2 = zi * zi;
    if (zr2 + zi2 > 4) return iteration;
    zi = 2 * zr * zi + ci;
    zr = zr2 - zi2 + cr;
  }
  return limit;
}

int64_t total_time(int width, int height, int limit) {
  int64_t total = 0;
  for (int row = 0; row < height; ++row) {
    const double ci = 2.4 * row / height - 1.2;
    for (int column = 0; column < width; ++column) total += escape_time(3.0 * column / width - 2.1, ci, limit);
  }
  return total;
}

}  // namespace
}  // namespace mangata::native

int main(int count, char** arguments) {
  using namespace mangata::native;
  for (int64_t i = repetitions(count, arguments, 160); i > 0; --i) {
    expect(total_time(unknown(80), unknown(60), unknown(200)), 230728);
  }
}
