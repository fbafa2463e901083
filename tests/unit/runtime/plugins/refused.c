/* Shared objects that are no policies, or policies for another engine: each target defines one of these. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/tiering/policy_abi.h"

#if defined(OTHER_VERSION)
static const mangata_policy policy = {MANGATA_POLICY_ABI + 1, "other", NULL, NULL, NULL, NULL};
const mangata_policy* mangata_policy_entry_point(uint32_t abi) {
  (void)abi;
  return &policy;
}
#elif defined(WANTS_OTHER_ENGINE)
const mangata_policy* mangata_policy_entry_point(uint32_t abi) {
  (void)abi;
  return NULL;
}
#else
int something_else(void) { return 1; }
#endif
