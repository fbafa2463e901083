// Coverage as Cobertura's XML: packages are folders, classes are files.
#include <cstdio>
#include <map>

#include "profiler/coverage/model/reports.h"
#include "profiler/markup.h"

namespace mangata::coverage {
namespace {

std::string attribute(const char* name, const std::string& value) { return std::string(" ") + name + "=\"" + escaped(value) + "\""; }

std::string rate(const Total& total) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", total.percent() / 100);
  return text;
}

std::string rates(const Totals& totals) {
  return attribute("line-rate", rate(totals.lines)) + attribute("branch-rate", rate(totals.branches)) + attribute("complexity", "0");
}

std::string whole_percent(const Total& total) { return std::to_string(static_cast<int>(total.percent())) + "%"; }

Total outcomes_of(const Condition& condition) {
  Total total;
  for (const uint64_t count : condition.counts) total.add(count != 0);
  return total;
}

Totals totals_of_line(const SourceLine& line) {
  Totals totals;
  totals.lines.add(line.hits != 0);
  for (const Condition& condition : line.conditions) totals.branches += outcomes_of(condition);
  return totals;
}

std::string line_element(const SourceLine& line, size_t number, const std::string& indent) {
  std::string text = indent + "<line" + attribute("number", std::to_string(number)) + attribute("hits", std::to_string(line.hits));
  if (line.conditions.empty()) return text + attribute("branch", "false") + "/>\n";
  const Total all = totals_of_line(line).branches;
  text += attribute("branch", "true") +
          attribute("condition-coverage", whole_percent(all) + " (" + std::to_string(all.hit) + "/" + std::to_string(all.all) + ")") +
          ">\n" + indent + "  <conditions>\n";
  for (size_t i = 0; i < line.conditions.size(); ++i) {
    text += indent + "    <condition" + attribute("number", std::to_string(i)) + attribute("type", "jump") +
            attribute("coverage", whole_percent(outcomes_of(line.conditions[i]))) + "/>\n";
  }
  return text + indent + "  </conditions>\n" + indent + "</line>\n";
}

/// Those that count.
std::string line_elements(const SourceFile& file, const std::string& indent) {
  std::string text = indent + "<lines>\n";
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].counts) text += line_element(file.lines[i], i + 1, indent + "  ");
  }
  return text + indent + "</lines>\n";
}

Totals totals_of_function(const SourceFile& file, const SourceFunction& function) {
  Totals totals;
  for (auto number = static_cast<size_t>(function.first_line); number <= static_cast<size_t>(function.last_line); ++number) {
    if (number <= file.lines.size() && file.lines[number - 1].counts) totals += totals_of_line(file.lines[number - 1]);
  }
  return totals;
}

/// A method's line is the first of the function that counts, with its calls: readers take a method to be covered if it was hit, and the head of
/// a function is hit where its closure is made. (Istanbul writes methods so.)
std::string method_elements(const SourceFile& file) {
  std::string text = "          <methods>\n";
  for (const SourceFunction& function : file.functions) {
    text += "            <method" + attribute("name", function.name) + attribute("signature", "()") + rates(totals_of_function(file, function)) +
            ">\n              <lines>\n                <line" + attribute("number", std::to_string(function.first_counted_line)) +
            attribute("hits", std::to_string(function.calls)) + attribute("branch", "false") +
            "/>\n              </lines>\n            </method>\n";
  }
  return text + "          </methods>\n";
}

std::string class_element(const SourceFile& file) {
  return "        <class" + attribute("name", file.name.substr(file.name.rfind('/') + 1)) + attribute("filename", file.name) +
         rates(file.totals) + ">\n" + method_elements(file) + line_elements(file, "          ") +
         "        </class>\n";
}

std::string package_element(const std::string& folder, const std::vector<const SourceFile*>& files) {
  Totals totals;
  std::string classes;
  for (const SourceFile* file : files) {
    totals += file->totals;
    classes += class_element(*file);
  }
  return "    <package" + attribute("name", folder) + rates(totals) + ">\n      <classes>\n" + classes +
         "      </classes>\n    </package>\n";
}

std::string counts(const Totals& totals) {
  return attribute("lines-covered", std::to_string(totals.lines.hit)) + attribute("lines-valid", std::to_string(totals.lines.all)) +
         attribute("branches-covered", std::to_string(totals.branches.hit)) +
         attribute("branches-valid", std::to_string(totals.branches.all));
}

}  // namespace

std::string write_cobertura(const CoverageReport& report) {
  std::map<std::string, std::vector<const SourceFile*>> folders;
  for (const SourceFile& file : report.files) {
    const size_t slash = file.name.rfind('/');
    folders[slash == std::string::npos ? "." : file.name.substr(0, slash)].push_back(&file);
  }
  const Totals totals = totals_of(report.files);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage" +
      rates(totals) + counts(totals) + attribute("version", report.program) +
      attribute("timestamp", std::to_string(report.time)) + ">\n  <sources>\n    <source>" + escaped(report.folder) +
      "</source>\n  </sources>\n  <packages>\n";
  for (const auto& [folder, files] : folders) text += package_element(folder, files);
  return text + "  </packages>\n</coverage>\n";
}

}  // namespace mangata::coverage
