// What makes each built-in policy from its parameters. Null: *error says what is wrong with them.
#pragma once

#include "runtime/tiering/policy.h"

namespace mangata {

std::unique_ptr<Policy> make_adaptive_policy(std::string_view parameters, std::string* error);
std::unique_ptr<Policy> make_baseline_policy(std::string_view parameters, std::string* error);
std::unique_ptr<Policy> make_counter_policy(std::string_view parameters, std::string* error);
std::unique_ptr<Policy> make_eager_policy(std::string_view parameters, std::string* error);
std::unique_ptr<Policy> make_interpreter_policy(std::string_view parameters, std::string* error);
std::unique_ptr<Policy> make_replay_policy(std::string_view file_name, std::string* error);

// From files
std::unique_ptr<Policy> make_plugin_policy(std::string_view path, std::string_view parameters,
                                           std::string* error);
std::unique_ptr<Policy> make_script_policy(std::string_view path, std::string_view parameters,
                                           std::string* error);

}  // namespace mangata
