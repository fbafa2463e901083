// See type_argument.h.
#include "runtime/ffi/type_argument.h"

#include "runtime/ffi/convert.h"

namespace mangata::ffi {

Result<std::vector<TypeParameter>> type_parameters(Call& call, int first) {
  State& state = state_of(call.vm());
  std::vector<TypeParameter> parameters;
  for (int i = first; i < call.count(); ++i) {
    TypeParameter parameter;
    if (const CData* data = cdata_of(call[i]); data != nullptr) {
      parameter.type = type_meant_by(state, *data);
    } else if (call[i].is_string()) {
      parameter.kind = TypeParameter::Kind::Name;
      parameter.name = call[i].as_string()->view();
    } else if (call[i].is_number()) {
      parameter.kind = TypeParameter::Kind::Number;
      parameter.number = TRY(call.check_integer(i));
    } else {
      return call.type_error(i, "type parameter");
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Result<TypeId> check_type(Call& call, int i, int first_parameter) {
  State& state = state_of(call.vm());
  const Value value = call[i];
  if (const CData* data = cdata_of(value); data != nullptr) {
    if (first_parameter >= 0 && call.count() > first_parameter)
      return call.error("wrong number of type parameters");
    return type_meant_by(state, *data);
  }
  if (!value.is_string()) return call.type_error(i, "C type");
  const bool has_parameters = first_parameter >= 0 && call.count() > first_parameter;
  const std::string_view text = value.as_string()->view();
  if (!has_parameters) {
    if (const auto known = state.parsed.find(text); known != state.parsed.end()) return known->second;
  }
  std::vector<TypeParameter> parameters;
  if (has_parameters) parameters = TRY(type_parameters(call, first_parameter));
  Parser parser(state.types, state.names, text, parameters);
  const Result<TypeId> type = parser.type();
  if (!type.ok()) return call.error(parser.problem());
  // A struct without a tag is a new type each time.
  if (!has_parameters && text.find('{') == std::string_view::npos) state.parsed.emplace(text, type.value());
  return type;
}

Result<int64_t> check_count(Call& call, int i) {
  Number number;
  if (call.is_none(i)) return call.bad_argument(i, "value expected");
  if (call[i].is_boolean() || !number_of(state_of(call.vm()), call[i], &number)) {
    return call.bad_argument(i,
                             "cannot convert '" + name_of_value(state_of(call.vm()), call[i]) + "' to 'int'");
  }
  return number.as_integer();
}

}  // namespace mangata::ffi
