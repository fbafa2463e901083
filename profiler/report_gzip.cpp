#include "profiler/report_gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace mangata {
namespace {

constexpr int kGzipHeader = 16;  ///< added to the size of the window: a header of gzip, not of zlib
constexpr int kMemoryLevel = 8;  ///< zlib's default

}  // namespace

std::string gzipped(std::string_view data) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed;
  char buffer[1 << 15];
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const size_t piece = std::min<size_t>(data.size(), std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // zlib reads only
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    state = deflate(&stream, piece == data.size() ? Z_FINISH : Z_NO_FLUSH);
    data.remove_prefix(piece - stream.avail_in);
    packed.append(buffer, sizeof buffer - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace mangata
