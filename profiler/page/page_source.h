// The source lines that the page shows: those of its functions, each line once, within a budget.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/model/views.h"
#include "profiler/page/page_limits.h"
#include "profiler/source_lines.h"

namespace mangata {

class PageSource {
 public:
  PageSource(const std::vector<ChunkText>& chunks, const PageLimits& limits) : lines_(&chunks), limits_(limits) {}

  /// Takes the lines of a function: all, or those near lines that ran when there are many.
  /// @returns  the index of its file
  size_t add(const FunctionProfile& function, const std::map<int32_t, LineRow>& ran);
  /// So many bytes of a line from a column; if they are more than `most`, the first of them.
  std::string excerpt(const FunctionProfile& function, int32_t line, int32_t column, size_t length, size_t most);
  /// Whether a line is longer than what is shown of it.
  bool is_cut(const FunctionProfile& function, int32_t line) { return lines_.line(function.source, line).size() > limits_.line_bytes; }

  /// Files as {"name", "problem", "ranges": [[first line, text], ...]}.
  nlohmann::ordered_json json();
  /// Functions whose source did not fit.
  size_t left_out() const { return left_out_; }

 private:
  struct File {
    std::string name;
    std::string source;
    std::map<int32_t, std::string> lines;
  };

  SourceLines lines_;
  const PageLimits& limits_;
  std::vector<File> files_;
  std::map<std::string, size_t> known_;
  size_t bytes_ = 0;
  size_t left_out_ = 0;
};

}  // namespace mangata
