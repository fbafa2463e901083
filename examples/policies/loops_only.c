/* A plug-in policy in C: counts the paths of functions with loops, and leaves all others alone.
 *
 *     mangata --policy=./loops_only.so:5000 --jit-log script.lua
 *
 * The parameter is after how many calls and iterations a function is looked at again (8000). A function goes
 * through three decisions: machine code; paths, if it has a loop; and no more counting as soon as two samples
 * are alike.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/tiering/policy_abi.h"

enum phase { COLD, WARM, COUNTED, DONE }; /* memory[0] */

static void* create(const char* parameters, const char** error) {
  int* sample = malloc(sizeof *sample);
  char* end = NULL;
  if (sample == NULL) return NULL;
  *sample = *parameters == '\0' ? 8000 : (int)strtol(parameters, &end, 10);
  if (*sample > 0 && (end == NULL || *end == '\0')) return sample;
  free(sample);
  *error = "the parameter must be a number of calls and iterations";
  return NULL;
}

static void destroy(void* self) { free(self); }

static void first(void* self, mangata_decision* decision) {
  (void)self;
  decision->entry = 20;
  decision->loop = 60;
}

static void decide(void* self, const mangata_profile_snapshot* snapshot, mangata_decision* decision) {
  const int sample = *(const int*)self;
  switch (snapshot->memory[0]) {
    case COLD:
      decision->tier = MANGATA_BASELINE;
      decision->sample = sample;
      decision->memory[0] = WARM;
      snprintf(decision->reason, sizeof decision->reason, "warm");
      break;
    case WARM:
      if (snapshot->loop_count == 0) {
        snprintf(decision->reason, sizeof decision->reason, "no loops");
        decision->memory[0] = DONE;
        break;
      }
      decision->profile = MANGATA_PROFILE_PATHS;
      decision->sample = sample;
      decision->memory[0] = COUNTED;
      snprintf(decision->reason, sizeof decision->reason, "%u loops", snapshot->loop_count);
      break;
    case COUNTED:
      decision->sample = sample;
      /* The first sample has nothing to be compared with. */
      if (snapshot->paths == snapshot->paths_since || snapshot->stability < 0.95) {
        snprintf(decision->reason, sizeof decision->reason, "%.0f%% alike", 100 * snapshot->stability);
        break;
      }
      decision->profile = MANGATA_PROFILE_NONE;
      decision->sample = MANGATA_NEVER;
      decision->memory[0] = DONE;
      snprintf(decision->reason, sizeof decision->reason, "stable, %u paths seen", snapshot->distinct_paths);
      break;
    default:
      break;
  }
}

static const mangata_policy policy = {MANGATA_POLICY_ABI, "loops_only", create, first, decide, destroy};

const mangata_policy* mangata_policy_entry_point(uint32_t abi) {
  return abi == MANGATA_POLICY_ABI ? &policy : NULL;
}
