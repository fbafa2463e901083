/* What a tiering policy sees and says: plain C, so that policies may be plug-ins (--policy=./mine.so) in any language.
 *
 * [DESIGN] A policy is a pure function from a snapshot of one function to a decision. It keeps nothing itself: what it wants to
 * remember of a function travels in `memory`, from its last decision to the next snapshot. So a policy is tested from literals,
 * replayed from logs, and run over recorded snapshots without the program. Time is logical: the snapshot counts calls and
 * backedges, never seconds, so the same program gives the same decisions.
 *
 * When a function is asked about: once it was called `entry` times or went back in its loops `loop` times in the interpreter (with
 * `entry` = 0: at its first call), and then whenever it has counted `sample` further calls and backedges in machine code. Of a
 * function with machine code, `loop` says after how many backedges a frame that the interpreter runs is taken back into it.
 *
 * Machine code is sampled: after every thousand calls and backedges of the program or so, up to four thousand in long runs, the
 * function that runs is credited with them. So what is said of machine code in `events`, and when `sample` of them are over, is an estimate; counts of paths are exact.
 *
 * Read next: runtime/tiering/policy.h (the built-in ones), runtime/tiering/adaptive_policy.cpp, examples/policies.
 */
#ifndef MANGATA_POLICY_ABI_H
#define MANGATA_POLICY_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MANGATA_POLICY_ABI 1u

enum mangata_tier {
  MANGATA_INTERPRETER = 0,
  MANGATA_BASELINE = 1,
  MANGATA_OPTIMIZED = 2 /* its outermost loop that goes back is compiled by what was counted of its paths; asked once more for each loop */
};

/* How paths are counted. */
enum mangata_profile {
  MANGATA_PROFILE_NONE = 0,
  MANGATA_PROFILE_PATHS = 1,        /* acyclic paths [Ball & Larus 1996] */
  MANGATA_PROFILE_ITERATIONS = 2,   /* paths over k iterations of the loops with loop_k >= 2, acyclic ones elsewhere */
  MANGATA_PROFILE_PREFERENTIAL = 3  /* the paths found so far through a compact table, the others as residual */
};

/* What makes optimized code, where --opt-compiler leaves the choice. */
enum mangata_compiler {
  MANGATA_COMPILER_ANY = 0,   /* quick code at once, LLVM's for what runs long */
  MANGATA_COMPILER_QUICK = 1, /* quick code only */
  MANGATA_COMPILER_LLVM = 2   /* LLVM's only: later, and faster */
};

/* Why the policy is asked. */
enum mangata_occasion {
  MANGATA_ASKED_CALLS = 0,      /* the interpreter has counted calls */
  MANGATA_ASKED_ITERATIONS = 1, /* the interpreter has counted backedges */
  MANGATA_ASKED_SAMPLE = 2      /* machine code has counted calls and backedges */
};

#define MANGATA_NEVER 0x7fffffff
#define MANGATA_MAX_LOOPS 16
#define MANGATA_MAX_K 8
#define MANGATA_MEMORY_WORDS 4

typedef struct mangata_loop_snapshot {
  int32_t line;           /* -1: unknown */
  uint32_t is_innermost;  /* only these may get k >= 2 */
  uint32_t k;             /* installed */
  uint32_t distinct;      /* paths through one iteration (through k iterations) that ran */
  uint64_t iterations;    /* counted so far under the installed plan */
  double top_share;       /* of the most frequent path through it, 0..1 */
  double second_share;    /* of the next one */
  uint32_t accuracy_count; /* k when k >= 2, else 1 */
  double accuracy[MANGATA_MAX_K]; /* acc(1)..acc(k): share of iterations that the ones before predict */
} mangata_loop_snapshot;

typedef struct mangata_path_snapshot {
  uint64_t count;
  uint32_t length;  /* bytecodes */
  const char* key;  /* as in JSON profiles */
} mangata_path_snapshot;

/* Optimized code of one loop, or of the whole function: the last that was made, or why none was. */
typedef struct mangata_region_snapshot {
  int32_t line;             /* of the loop; -1: it is the whole function */
  uint32_t is_installed;    /* it is installed */
  uint32_t made;            /* how often it was made so far; if never, only line, why_not and profitable_after are set */
  uint32_t ir_instructions; /* that were compiled */
  uint32_t code_bytes;      /* of machine code */
  double milliseconds;      /* that the compile thread has worked on it; 0 in repeatable runs */
  double saved_share;       /* of the time in baseline code that it was predicted to save, 0..1 */
  uint64_t iterations;      /* that have run in it and, of a function, calls */
  uint64_t unexpected;      /* times it was left by a failed check, by a branch that was rare before, or to what is not in it */
  uint64_t expected;        /* times it was left by the loop's end, or for a step of the collector. Returns of a function are not counted;
                             * a loop was entered unexpected + expected times */
  uint64_t refused;         /* times it was not entered, for other types of registers than it was made for */
  const char* why_not;      /* "" when it is installed: why it is not, or not any more */
  uint64_t profitable_after; /* not 0: it is only too early, and is made when the function has had so many events */
} mangata_region_snapshot;

typedef struct mangata_profile_snapshot {
  uint32_t size; /* of this struct: later versions append fields, so see MANGATA_HAS */
  uint32_t occasion;
  uint64_t clock;          /* events that all functions have counted, at each ask */
  uint32_t function;       /* number in order of creation */
  uint32_t asked;          /* how often before */
  const char* name;        /* of the function, for people */
  const char* source;      /* file, as in messages */
  int32_t line;            /* where it begins */
  uint32_t bytecodes;      /* its size */
  uint32_t tier;           /* installed */
  uint32_t profile;        /* installed */
  uint64_t events;         /* calls and backedges of the function so far */
  uint64_t events_since;   /* of these, since the last decision */

  /* The profile that is installed, or the last one that was; all 0 before there is any, but for
   * line and is_innermost of the loops, which are known from the start. */
  uint64_t possible_paths;
  uint32_t is_hashed;      /* counted in a hash table, because there are too many for an array */
  uint32_t distinct_paths; /* that ran */
  uint64_t paths;          /* executions counted so far */
  uint64_t paths_since;    /* of these, since the last decision */
  uint64_t residual;       /* of paths_since, on paths that are not preferred (MANGATA_PROFILE_PREFERENTIAL) */
  double top_share;        /* of the most frequent path */
  double stability;        /* overlap of what was counted since the last decision with what was before: 0 (nothing alike)..1 */
  uint32_t loop_count;
  const mangata_loop_snapshot* loops; /* the first MANGATA_MAX_LOOPS */
  uint32_t path_count;
  const mangata_path_snapshot* hottest; /* at most 8, hottest first */

  uint32_t code_bytes;   /* of machine code of the function, in all versions */
  uint32_t versions;     /* versions of its code made so far */
  uint64_t cache_used;   /* bytes of machine code of the program */
  uint64_t cache_limit;
  uint64_t memory[MANGATA_MEMORY_WORDS]; /* from the last decision about the function; 0 before */
  uint32_t is_counted_exactly; /* for the whole run, because the user wants it: what a decision wants counted is ignored, and here is no profile */

  /* Appended. No padding: MANGATA_HAS takes that for a field. */
  double nanoseconds;    /* of the program, in which `events` have happened; 0 in repeatable runs */
  uint64_t region_count; /* of the function; none before MANGATA_OPTIMIZED was decided, nor while the first is recorded and compiled */
  const mangata_region_snapshot* regions;
  uint32_t is_straight;  /* each innermost loop of it, if any, has one way through an iteration: what its paths are makes no difference to
                          * optimized code. 0, too, where counts of paths are reported at the end (--profile-sampled) */
  uint32_t is_optimizable; /* MANGATA_OPTIMIZED can be decided: paths that were not counted are taken from the recording then. Was reserved: 0 */
} mangata_profile_snapshot;

/* Whether the engine that has made a snapshot knows a field that was appended. */
#define MANGATA_HAS(snapshot, field) \
  ((snapshot)->size >= offsetof(mangata_profile_snapshot, field) + sizeof(snapshot)->field)

typedef struct mangata_decision {
  uint32_t size;  /* as the caller has set it */
  uint32_t tier;
  uint32_t profile;
  uint32_t forget; /* not 0: compare later profiles (stability) only with what is counted from now on */
  uint8_t loop_k[MANGATA_MAX_LOOPS]; /* with MANGATA_PROFILE_ITERATIONS: per loop of the snapshot; 0 and 1: acyclic */
  int32_t entry;   /* interpreted calls, until asked again; MANGATA_NEVER */
  int32_t loop;    /* interpreted backedges, likewise */
  int32_t sample;  /* calls and backedges in machine code, likewise */
  uint64_t memory[MANGATA_MEMORY_WORDS];
  char reason[160]; /* for the log */
  /* Appended together with mangata_profile_snapshot::regions. */
  uint32_t drop_regions; /* not 0: regions of the function are invalidated, and none is made, nor made anew, until MANGATA_OPTIMIZED is
                          * decided about it, which may be now. Those of its callers, into which it may have been inlined, stay */
  uint32_t compiler;     /* with MANGATA_OPTIMIZED: of the regions that are made from now on. Was reserved: 0, and stays so under older plug-ins */
} mangata_decision;

/* The decision arrives filled in with what is installed, and all three countdowns at MANGATA_NEVER. */
typedef struct mangata_policy {
  uint32_t abi; /* MANGATA_POLICY_ABI */
  const char* name;
  /* parameters: what followed the colon in --policy=FILE:PARAMETERS, or "". NULL: they are bad; *error says why. */
  void* (*create)(const char* parameters, const char** error);
  /* Called once per function before it runs: only tier, entry and loop are used. NULL: entry and loop are 0. */
  void (*first)(void* self, mangata_decision* decision);
  void (*decide)(void* self, const mangata_profile_snapshot* snapshot, mangata_decision* decision);
  void (*destroy)(void* self);
} mangata_policy;

/* The one function that a plug-in exports. `abi` is that of the engine; NULL: the plug-in wants another one. */
typedef const mangata_policy* (*mangata_policy_entry)(uint32_t abi);
#define MANGATA_POLICY_SYMBOL "mangata_policy_entry_point"

#ifdef __cplusplus
}
#endif

#endif
