// Visits the fields of snapshots and decisions (policy_fields.def): `visitor.kind(word, member)` for each, in the order of policy_abi.h.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "runtime/tiering/policy_abi.h"

namespace mangata {

struct FieldPlace {
  size_t offset, size, alignment;  ///< in bytes, of a member of a struct of policy_abi.h
};

/// Whether nothing lies between the fields that could be one.
constexpr bool cover(std::initializer_list<FieldPlace> fields, size_t size) {
  size_t end = 0;
  for (const FieldPlace& field : fields) {
    if (field.offset != (end + field.alignment - 1) / field.alignment * field.alignment) return false;
    end = field.offset + field.size;
  }
  return (end + alignof(void*) - 1) / alignof(void*) * alignof(void*) == size;
}

template <typename Snapshot, typename Visitor>
void visit_profile_fields(Snapshot& snapshot, Visitor&& visitor) {
#define PROFILE_FIELD(kind, member, word) visitor.kind(word, snapshot.member);
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
}

template <typename Snapshot, typename Visitor>
void visit_loop_fields(Snapshot& snapshot, Visitor&& visitor) {
#define LOOP_FIELD(kind, member, word) visitor.kind(word, snapshot.member);
#define PROFILE_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
}

template <typename Snapshot, typename Visitor>
void visit_path_fields(Snapshot& snapshot, Visitor&& visitor) {
#define PATH_FIELD(kind, member, word) visitor.kind(word, snapshot.member);
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
}

template <typename Snapshot, typename Visitor>
void visit_region_fields(Snapshot& snapshot, Visitor&& visitor) {
#define REGION_FIELD(kind, member, word) visitor.kind(word, snapshot.member);
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
}

template <typename Decision, typename Visitor>
void visit_decision_fields(Decision& decision, Visitor&& visitor) {
#define DECISION_FIELD(kind, member, word, expected) visitor.kind(word, decision.member);
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
}

// A field that the table leaves out does not compile.
static_assert(cover({
#define PROFILE_FIELD(kind, member, word) {offsetof(mangata_profile_snapshot, member), sizeof(mangata_profile_snapshot::member), alignof(decltype(mangata_profile_snapshot::member))},
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
                    },
                    sizeof(mangata_profile_snapshot)));
static_assert(cover({
#define LOOP_FIELD(kind, member, word) {offsetof(mangata_loop_snapshot, member), sizeof(mangata_loop_snapshot::member), alignof(decltype(mangata_loop_snapshot::member))},
#define PROFILE_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
                    },
                    sizeof(mangata_loop_snapshot)));
static_assert(cover({
#define PATH_FIELD(kind, member, word) {offsetof(mangata_path_snapshot, member), sizeof(mangata_path_snapshot::member), alignof(decltype(mangata_path_snapshot::member))},
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define REGION_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
                    },
                    sizeof(mangata_path_snapshot)));
static_assert(cover({
#define REGION_FIELD(kind, member, word) {offsetof(mangata_region_snapshot, member), sizeof(mangata_region_snapshot::member), alignof(decltype(mangata_region_snapshot::member))},
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define DECISION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
                    },
                    sizeof(mangata_region_snapshot)));
static_assert(cover({
#define DECISION_FIELD(kind, member, word, expected) {offsetof(mangata_decision, member), sizeof(mangata_decision::member), alignof(decltype(mangata_decision::member))},
#define PROFILE_FIELD(...)
#define LOOP_FIELD(...)
#define PATH_FIELD(...)
#define REGION_FIELD(...)
#include "runtime/tiering/policy_fields.def"
                    },
                    sizeof(mangata_decision)));

}  // namespace mangata
