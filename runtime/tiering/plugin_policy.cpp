// Policies from shared objects: policy_abi.h is their interface.
#include <dlfcn.h>

#include "runtime/tiering/built_in_policies.h"

namespace mangata {
namespace {

class PluginPolicy : public Policy {
 public:
  PluginPolicy(const mangata_policy& functions, void* self) : functions_(functions), self_(self) {}
  ~PluginPolicy() override {
    if (functions_.destroy != nullptr) functions_.destroy(self_);
  }
  PluginPolicy(const PluginPolicy&) = delete;
  PluginPolicy& operator=(const PluginPolicy&) = delete;

  bool samples() const override { return true; }
  bool optimizes() const override { return samples(); }
  void first(Decision* decision) override {
    if (functions_.first != nullptr) functions_.first(self_, decision);
  }
  void decide(const ProfileSnapshot& snapshot, Decision* decision) override {
    functions_.decide(self_, &snapshot, decision);
  }

 private:
  const mangata_policy& functions_;
  void* self_;
};

/// What the library exports; null with *error otherwise. The library stays loaded until the process ends: its
/// code may have registered anything.
const mangata_policy* load_functions(const std::string& path, std::string* error) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    *error = dlerror();
    return nullptr;
  }
  const auto entry = reinterpret_cast<mangata_policy_entry>(dlsym(library, MANGATA_POLICY_SYMBOL));
  if (entry == nullptr) {
    *error = "it is no policy: it exports no function " MANGATA_POLICY_SYMBOL;
    return nullptr;
  }
  const mangata_policy* functions = entry(MANGATA_POLICY_ABI);
  const std::string ours = std::to_string(MANGATA_POLICY_ABI);
  if (functions == nullptr) {
    *error = "it refuses version " + ours + " of the policy interface, the one of this engine";
  } else if (functions->abi != MANGATA_POLICY_ABI) {
    *error = "it was made for version " + std::to_string(functions->abi) +
             " of the policy interface, this engine has version " + ours;
  } else if (functions->create == nullptr || functions->decide == nullptr) {
    *error = "it lacks create or decide";
  } else {
    return functions;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Policy> make_function_policy(const mangata_policy& functions, void* self) {
  return std::make_unique<PluginPolicy>(functions, self);
}

std::unique_ptr<Policy> make_plugin_policy(std::string_view path, std::string_view parameters,
                                           std::string* error) {
  // Without a slash, the system's folders would be searched.
  const std::string file =
      path.find('/') == std::string_view::npos ? "./" + std::string(path) : std::string(path);
  const mangata_policy* functions = load_functions(file, error);
  if (functions == nullptr) return nullptr;
  const char* refusal = "it gives no reason";
  void* self = functions->create(std::string(parameters).c_str(), &refusal);
  if (self != nullptr) return std::make_unique<PluginPolicy>(*functions, self);
  *error = "refused: " + std::string(refusal);
  return nullptr;
}

}  // namespace mangata
