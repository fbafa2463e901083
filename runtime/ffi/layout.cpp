// See layout.h.
//
// A position is counted in bits. A bit-field lies in a storage unit of its type's size, aligned as the type
// is; it does not cross the end of one, unless it is packed. Unnamed bit-fields take their room but do not
// align the record; those of width 0 end the unit.
#include "runtime/ffi/layout.h"

#include <algorithm>

namespace mangata::ffi {
namespace {

constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

class Layout {
 public:
  Layout(Types& types, TypeId id, const RecordAttributes& attributes)
      : types_(types), is_union_(types.record(id).is_union), attributes_(attributes) {}

  /// False: its size is unknown, or the record is too large.
  bool add(const MemberDeclaration& member, bool is_last) {
    const bool is_flexible = is_last && !is_union_ && types_[member.type].kind == TypeKind::Array &&
                             types_[member.type].count >= kVariableCount;
    size_ = types_.size_of(member.type);
    if (is_flexible) {
      has_variable_size_ = types_.has_variable_size(member.type);
      size_ = 0;
    }
    if (size_ == kUnknownSize || types_.has_variable_size(member.type) != has_variable_size_) return false;
    if (is_union_) position_ = 0;
    depth_ = std::max(depth_, types_.depth_of(member.type) + 1);
    align_ = member.is_packed ? 1 : types_.align_of(member.type);
    wanted_align_ = member.align;
    if (attributes_.pack != 0) {
      align_ = std::min(align_, attributes_.pack);
      wanted_align_ = std::min(wanted_align_, attributes_.pack);
    }
    if (member.bit_width.has_value()) {
      add_bit_field(member);
    } else {
      add_plain(member);
    }
    end_ = std::max(end_, position_);
    return end_ <= kMaxTypeBytes * 8 && depth_ <= kMaxTypeDepth;
  }

  void finish(Record& record) {
    record.align = std::max(record_align_, attributes_.align);
    record.size = round_up(round_up(end_, 8) / 8, record.align);
    record.has_variable_size = has_variable_size_;
    record.fields = std::move(fields_);
    record.depth = depth_;
    record.is_complete = true;
  }

 private:
  void add_plain(const MemberDeclaration& member) {
    align_ = std::max(align_, wanted_align_);
    record_align_ = std::max(record_align_, align_);
    position_ = round_up(position_, uint64_t{align_} * 8);
    const uint64_t offset = position_ / 8;
    position_ += size_ * 8;
    fields_.push_back({.name = member.name, .type = member.type, .offset = offset});
    if (!member.name.empty()) return;
    for (const Field& inner : types_.record(member.type).fields) {
      if (inner.name.empty()) continue;
      Field field = inner;
      field.offset += offset;
      field.is_inherited = true;
      fields_.push_back(std::move(field));
    }
  }

  void add_bit_field(const MemberDeclaration& member) {
    const uint64_t width = *member.bit_width;
    const uint64_t unit = size_ * 8;
    if (width == 0) {
      position_ = round_up(position_, std::max<uint64_t>(types_.align_of(member.type), wanted_align_) * 8);
      return;
    }
    if (wanted_align_ != 0) position_ = round_up(position_, uint64_t{wanted_align_} * 8);
    const bool may_cross = member.is_packed || attributes_.pack != 0;
    if (!may_cross && position_ % unit + width > unit) position_ = round_up(position_, uint64_t{align_} * 8);
    if (!member.name.empty()) {
      // #pragma pack takes the place of `packed` here.
      const uint32_t own =
          attributes_.pack != 0 ? std::min(types_.align_of(member.type), attributes_.pack) : align_;
      record_align_ = std::max({record_align_, own, wanted_align_});
      const uint64_t start = may_cross ? position_ / 8 : position_ / unit * size_;
      fields_.push_back({.name = member.name,
                         .type = member.type,
                         .offset = start,
                         .bit_offset = static_cast<uint32_t>(position_ - start * 8),
                         .bit_width = static_cast<uint32_t>(width)});
    }
    position_ += width;
  }

  Types& types_;
  const bool is_union_;
  const RecordAttributes& attributes_;
  std::vector<Field> fields_;
  uint64_t position_ = 0;      // bits
  uint64_t end_ = 0;           // bits
  uint64_t size_ = 0;          // bytes, of the member
  uint32_t align_ = 1;         // bytes, of the member
  uint32_t wanted_align_ = 0;  // by an attribute; 0: none
  uint32_t record_align_ = 1;
  uint32_t depth_ = 0;
  bool has_variable_size_ = false;
};

}  // namespace

const MemberDeclaration* lay_out(Types& types, TypeId record, std::span<const MemberDeclaration> members,
                                 const RecordAttributes& attributes) {
  Layout layout(types, record, attributes);
  for (const MemberDeclaration& member : members) {
    if (!layout.add(member, &member == &members.back())) return &member;
  }
  layout.finish(types.record(record));
  return nullptr;
}

}  // namespace mangata::ffi
