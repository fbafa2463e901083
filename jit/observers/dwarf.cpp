#include "jit/observers/dwarf.h"

#include "jit/observers/byte_writer.h"

namespace mangata {
namespace {

// DWARF 4, figure numbers of §7: only what is used here.
constexpr uint8_t kCfaAdvanceLoc4 = 0x04, kCfaDefCfa = 0x0C, kCfaDefCfaOffset = 0x0E, kCfaOffset = 0x80;
constexpr uint8_t kRegisterRbp = 6, kRegisterRsp = 7, kRegisterReturnAddress = 16;
constexpr int kDataAlignment = -8;
// How addresses are written. [LSB 5.0 core, §10.5]
constexpr uint8_t kAbsolute = 0x00, kUnsigned4 = 0x03, kRelativeToHere4 = 0x1B, kRelativeToHeader4 = 0x3B;
constexpr uint8_t kTagCompileUnit = 0x11, kTagSubprogram = 0x2E;
constexpr uint8_t kAttributeName = 0x03, kAttributeStatementList = 0x10, kAttributeLowPc = 0x11,
                  kAttributeHighPc = 0x12, kAttributeDeclarationFile = 0x3A, kAttributeDeclarationLine = 0x3B;
constexpr uint8_t kFormAddress = 0x01, kFormData4 = 0x06, kFormData8 = 0x07, kFormString = 0x08,
                  kFormSectionOffset = 0x17;
constexpr uint8_t kLineCopy = 1, kLineAdvancePc = 2, kLineAdvanceLine = 3;
constexpr uint8_t kLineEndSequence = 1, kLineSetAddress = 2;

uint64_t address_of(const CodeDescription& code) { return reinterpret_cast<uint64_t>(code.start); }

/// The entry in .eh_frame: a length, then what `body` writes, padded to the size of an address.
template <typename Body>
void frame_entry(ByteWriter* out, Body body) {
  const size_t length_field = out->reserve_u32();
  body();
  out->pad_to(8);  // DW_CFA_nop
  out->patch_u32(length_field, out->size() - length_field - 4);
}

void common_information_entry(ByteWriter* out, uint8_t encoding) {
  out->u32(0);  // this is a CIE
  out->u8(1);   // version
  out->string("zR");
  out->uleb128(1);  // code alignment
  out->sleb128(kDataAlignment);
  out->u8(kRegisterReturnAddress);
  out->uleb128(1);  // augmentation: the encoding of addresses
  out->u8(encoding);
  out->u8(kCfaDefCfa);
  out->uleb128(kRegisterRsp);
  out->uleb128(8);
  out->u8(kCfaOffset | kRegisterReturnAddress);
  out->uleb128(1);  // at CFA - 8
}

void frame_rows(ByteWriter* out, const CodeDescription& code) {
  uint32_t at = 0;
  bool is_from_rbp = false;
  for (const CodeFrameRow& row : code.frame) {
    if (row.offset != at) {
      out->u8(kCfaAdvanceLoc4);
      out->u32(row.offset - at);
      at = row.offset;
    }
    if (row.is_from_rbp == is_from_rbp) {
      out->u8(kCfaDefCfaOffset);
    } else {
      out->u8(kCfaDefCfa);
      out->uleb128(row.is_from_rbp ? kRegisterRbp : kRegisterRsp);
      is_from_rbp = row.is_from_rbp;
    }
    out->uleb128(row.cfa_offset_bytes);
    if (row.saved_register >= 0) {
      out->u8(kCfaOffset | static_cast<unsigned>(row.saved_register));
      out->uleb128(row.cfa_offset_bytes / 8);  // what was pushed last is what rsp points at
    }
  }
}

std::vector<uint8_t> line_section(const CodeDescription& code) {
  ByteWriter out;
  const size_t length_field = out.reserve_u32();
  out.u16(4);  // version
  const size_t header_field = out.reserve_u32();
  out.u8(1);     // smallest instruction
  out.u8(1);     // operations in an instruction
  out.u8(1);     // rows are statements
  out.u8(0xFF);  // line base -1 and range 1: no special opcodes are used
  out.u8(1);
  constexpr uint8_t kOperandCounts[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  out.u8(sizeof kOperandCounts + 1);
  out.raw(kOperandCounts, sizeof kOperandCounts);
  out.u8(0);  // no directories: the name is as the program gave it
  out.string(code.source);
  for (int i = 0; i < 3; ++i) out.uleb128(0);  // directory, time, size
  out.u8(0);
  out.patch_u32(header_field, out.size() - header_field - 4);

  const auto extended = [&out](uint8_t opcode, size_t operand_bytes) {
    out.u8(0);
    out.uleb128(1 + operand_bytes);
    out.u8(opcode);
  };
  extended(kLineSetAddress, 8);
  out.u64(address_of(code));
  uint32_t at = 0;
  int line = 1;
  for (const CodeLine& row : code.lines) {
    out.u8(kLineAdvancePc);
    out.uleb128(row.offset - at);
    out.u8(kLineAdvanceLine);
    out.sleb128(row.line - line);
    out.u8(kLineCopy);
    at = row.offset;
    line = row.line;
  }
  out.u8(kLineAdvancePc);
  out.uleb128(code.size_bytes - at);
  extended(kLineEndSequence, 0);
  out.patch_u32(length_field, out.size() - 4);
  return out.take();
}

}  // namespace

std::vector<uint8_t> make_eh_frame(const CodeDescription& code) {
  ByteWriter out;
  frame_entry(&out, [&] { common_information_entry(&out, kAbsolute); });
  frame_entry(&out, [&] {
    out.u32(static_cast<uint32_t>(out.size()));  // from here back to the CIE, at 0
    out.u64(address_of(code));
    out.u64(code.size_bytes);
    out.uleb128(0);  // augmentation data
    frame_rows(&out, code);
  });
  out.u32(0);  // the end
  return out.take();
}

RelocatableFrames make_relocatable_frames(const CodeDescription& code) {
  ByteWriter out;
  const size_t behind_code = (code.size_bytes + 7) / 8 * 8;  // where it begins, seen from the code
  frame_entry(&out, [&] { common_information_entry(&out, kRelativeToHere4); });
  const size_t description = out.size();
  frame_entry(&out, [&] {
    out.u32(static_cast<uint32_t>(out.size()));
    out.u32(static_cast<uint32_t>(0 - (behind_code + out.size())));
    out.u32(static_cast<uint32_t>(code.size_bytes));
    out.uleb128(0);
    frame_rows(&out, code);
  });
  out.u32(0);
  const size_t header = out.size();
  out.u8(1);  // version
  out.u8(kRelativeToHere4);
  out.u8(kUnsigned4);
  out.u8(kRelativeToHeader4);
  out.u32(static_cast<uint32_t>(0 - out.size()));  // .eh_frame
  out.u32(1);                                      // entries
  out.u32(static_cast<uint32_t>(0 - (behind_code + header)));
  out.u32(static_cast<uint32_t>(description - header));
  const size_t header_bytes = out.size() - header;
  return {out.take(), header_bytes};
}

DebugSections make_debug_sections(const CodeDescription& code) {
  DebugSections sections;
  ByteWriter abbrev;
  const auto declare = [&abbrev](uint8_t number, uint8_t tag, bool has_children,
                                 std::initializer_list<std::pair<uint8_t, uint8_t>> attributes) {
    abbrev.uleb128(number);
    abbrev.uleb128(tag);
    abbrev.u8(has_children ? 1 : 0);
    for (const auto& [attribute, form] : attributes) {
      abbrev.uleb128(attribute);
      abbrev.uleb128(form);
    }
    abbrev.u16(0);
  };
  declare(1, kTagCompileUnit, true,
          {{kAttributeName, kFormString},
           {kAttributeStatementList, kFormSectionOffset},
           {kAttributeLowPc, kFormAddress},
           {kAttributeHighPc, kFormData8}});
  declare(2, kTagSubprogram, false,
          {{kAttributeName, kFormString},
           {kAttributeLowPc, kFormAddress},
           {kAttributeHighPc, kFormData8},
           {kAttributeDeclarationFile, kFormData4},
           {kAttributeDeclarationLine, kFormData4}});
  abbrev.u8(0);
  sections.abbrev = abbrev.take();

  ByteWriter info;
  const size_t length_field = info.reserve_u32();
  info.u16(4);  // version
  info.u32(0);  // offset of the abbreviations
  info.u8(8);   // bytes of an address
  info.uleb128(1);
  info.string(code.source);
  info.u32(0);  // offset of the line table
  info.u64(address_of(code));
  info.u64(code.size_bytes);
  info.uleb128(2);
  info.string(symbol_name(code));
  info.u64(address_of(code));
  info.u64(code.size_bytes);
  info.u32(1);
  info.u32(static_cast<uint32_t>(code.line_defined));
  info.u8(0);  // no more children
  info.patch_u32(length_field, info.size() - 4);
  sections.info = info.take();
  sections.line = line_section(code);
  return sections;
}

}  // namespace mangata
