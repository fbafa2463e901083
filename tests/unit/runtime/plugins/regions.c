/* A policy that says what it sees of regions, or that the engine is older than they are. */
#include <stdio.h>

#include "runtime/tiering/policy_abi.h"

static void* create(const char* parameters, const char** error) {
  static int self;
  (void)parameters, (void)error;
  return &self;
}

static void decide(void* self, const mangata_profile_snapshot* snapshot, mangata_decision* decision) {
  (void)self;
  if (!MANGATA_HAS(snapshot, regions)) {
    snprintf(decision->reason, sizeof decision->reason, "older");
    return;
  }
  int length = 0;
  for (uint64_t i = 0; i < snapshot->region_count; ++i) {
    const mangata_region_snapshot* region = &snapshot->regions[i];
    length += snprintf(decision->reason + length, sizeof decision->reason - (size_t)length, "%d: %u %u %u of %u bytes, %.2f, %llu+%llu of %llu '%s' %llu; ",
                       region->line, region->is_installed, region->made, region->ir_instructions, region->code_bytes, region->saved_share,
                       (unsigned long long)region->unexpected, (unsigned long long)region->expected, (unsigned long long)region->iterations, region->why_not,
                       (unsigned long long)region->profitable_after);
  }
}

static const mangata_policy policy = {MANGATA_POLICY_ABI, "regions", create, NULL, decide, NULL};

const mangata_policy* mangata_policy_entry_point(uint32_t abi) {
  return abi == MANGATA_POLICY_ABI ? &policy : NULL;
}
