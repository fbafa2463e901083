#include "profiler/report_html.h"

#include <algorithm>

#include "profiler/markup.h"
#include "profiler/page/page_cut.h"
#include "profiler/page/page_data.h"
#include "profiler/page/page_text.h"

namespace mangata {
namespace {

constexpr size_t kMostBytes = 1'000'000;

void replace(std::string* text, std::string_view mark, std::string_view by) {
  const size_t place = text->find(mark);
  if (place != std::string::npos) text->replace(place, mark.size(), by);
}

std::string title_of(const RunProfile& profile) {
  if (profile.runs.empty() || profile.runs.front().command_line.empty()) return "Path profile";
  return cut_text(profile.runs.front().command_line.back(), kLongestName) + " - path profile";
}

/// What ends a script element, or is a line's end in older JavaScript but not in JSON, becomes an escape of JSON.
std::string for_script_element(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i, 3);
    if (json[i] == '<') {
      text += "\\u003c";
    } else if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      text += rest == "\xE2\x80\xA8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += json[i];
    }
  }
  return text;
}

/// The most detailed page that is small enough.
std::string write_page(const PageInput& input) {
  std::string page = page_text();
  PageLimits limits;
  std::string data = for_script_element(page_data(input, limits));
  while (page.size() + data.size() > kMostBytes && limits.can_shrink()) {
    // Most of the data is a product of two limits: functions, and what is told of each.
    const double fits = static_cast<double>(kMostBytes - std::min(page.size(), kMostBytes)) / static_cast<double>(data.size());
    limits.shrink(std::clamp(0.95 * fits, 0.05, 0.9));
    data = for_script_element(page_data(input, limits));
  }
  // The data first: the mark of the title stands in front of it, so neither can hold the other's mark.
  replace(&page, "{{data}}", data);
  replace(&page, "{{title}}", escaped(title_of(input.profile)));
  return page;
}

}  // namespace

std::string write_html_report(const RunProfile& profile, const ReportOptions& options) { return write_page({profile, options, nullptr}); }

std::string write_html_diff(const RunProfile& before, const RunProfile& after, const ReportOptions& options) {
  const RunDifference found = shown_difference(before, after, options);
  const PageDifference difference{before, found, diff_weight(before, after, options)};
  return write_page({after, options, &difference});
}

}  // namespace mangata
