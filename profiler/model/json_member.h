// Reading JSON that may be anything: every value is looked at before it is believed.
//
// Invariant: what is wrong is thrown as a JsonProblem, from any depth, and told with the place where it stands; nothing else is thrown but
// std::bad_alloc. Read next: profiler/model/profile_reader.h.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace mangata {

/// What is wrong with a file, and at which member.
struct JsonProblem {
  std::string place;  ///< a JSON pointer
  std::string text;  ///< "expected a number"
};

/// One value of a document, which knows where it stands.
class Member {
 public:
  using Json = nlohmann::json;
  Member(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  /// Throws the problem with this member.
  [[noreturn]] void fail(const std::string& text) const { throw JsonProblem{place_, text}; }

  Member operator[](const char* name) const {
    if (!json_.is_object()) fail("expected an object");
    const auto found = json_.find(name);
    if (found == json_.end()) fail("has no member \"" + std::string(name) + "\"");
    return {*found, place_ + "/" + name};
  }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }
  bool is_null() const { return json_.is_null(); }

  /// Calls visit(element) for each; fails unless this is an array. The same of the others: they fail on another type, or a number outside.
  template <class Visit>
  void each(Visit visit) const {
    if (!json_.is_array()) fail("expected an array");
    for (size_t i = 0; i < json_.size(); ++i) visit(Member(json_[i], place_ + "/" + std::to_string(i)));
  }
  /// A string.
  std::string text() const {
    if (!json_.is_string()) fail("expected a string");
    return json_.get<std::string>();
  }
  /// A boolean.
  bool flag() const {
    if (!json_.is_boolean()) fail("expected true or false");
    return json_.get<bool>();
  }
  /// Within the bounds, which are allowed themselves.
  double number(double least, double most) const {
    if (!json_.is_number()) fail("expected a number");
    const double value = json_.get<double>();
    if (!(value >= least && value <= most)) fail("out of range");
    return value;
  }
  /// Not negative, up to 2^64 - 1.
  uint64_t count() const {
    if (!json_.is_number_unsigned()) fail("expected a whole number");
    return json_.get<uint64_t>();
  }
  /// A number of a line or column, at least `least`.
  int32_t whole(int32_t least) const {
    if (!json_.is_number_integer()) fail("expected a whole number");
    return static_cast<int32_t>(number(least, INT32_MAX));
  }
  /// A line, or -1 for null.
  int32_t line() const { return is_null() ? -1 : whole(0); }

  // Members that may be missing.
  uint64_t count_or(const char* name, uint64_t otherwise) const { return has(name) ? (*this)[name].count() : otherwise; }
  int32_t whole_or(const char* name, int32_t otherwise) const { return has(name) ? (*this)[name].whole(0) : otherwise; }
  bool flag_or(const char* name, bool otherwise) const { return has(name) ? (*this)[name].flag() : otherwise; }

 private:
  const Json& json_;
  std::string place_;
};

/// Parses `text` and calls read with the root. False: *error says what is wrong with `file`, and where; `what` is what it is not ("a path
/// profile").
bool read_json(const std::string& text, const std::string& file, const std::string& what, const std::function<void(const Member&)>& read,
               std::string* error);

/// The whole file. False: *error.
bool read_whole_file(const std::string& file, std::string* text, std::string* error);

}  // namespace mangata
