#include "jit/listing/disassembler.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>

#include <cstdio>
#include <map>

namespace mangata {
namespace {

/// The functions of the library that are used here.
struct Zydis {
  decltype(&ZydisDecoderInit) decoder_init;
  decltype(&ZydisDecoderDecodeFull) decode;
  decltype(&ZydisFormatterInit) formatter_init;
  decltype(&ZydisFormatterSetProperty) set_property;
  decltype(&ZydisFormatterFormatInstruction) format;
  decltype(&ZydisMnemonicGetString) mnemonic;
  decltype(&ZydisCalcAbsoluteAddress) absolute_address;
  bool complete = true;

  explicit Zydis(void* library) {
    const auto find = [&](auto* function, const char* name) {
      *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
      complete = complete && *function != nullptr;
    };
    find(&decoder_init, "ZydisDecoderInit");
    find(&decode, "ZydisDecoderDecodeFull");
    find(&formatter_init, "ZydisFormatterInit");
    find(&set_property, "ZydisFormatterSetProperty");
    find(&format, "ZydisFormatterFormatInstruction");
    find(&mnemonic, "ZydisMnemonicGetString");
    find(&absolute_address, "ZydisCalcAbsoluteAddress");
  }
};

const Zydis* load_zydis(std::string* error) {
  // The structures are those of the headers: this version and no other.
  const std::string name = "libZydis.so." + std::to_string(ZYDIS_VERSION_MAJOR(ZYDIS_VERSION)) + "." +
                           std::to_string(ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
  static void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  static const Zydis* const zydis = library != nullptr ? new Zydis(library) : nullptr;
  if (zydis != nullptr && zydis->complete) return zydis;
  *error =
      "the disassembler needs " + name + ", which cannot be loaded (in Debian it comes with libzydis-dev)";
  return nullptr;
}

/// The pass over one piece of code.
class Lister {
 public:
  Lister(const Zydis& zydis, const Listing& listing)
      : zydis_(zydis), listing_(listing), base_(reinterpret_cast<uint64_t>(listing.code.data())) {
    zydis_.decoder_init(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    zydis_.formatter_init(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
    zydis_.set_property(&formatter_, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE);
    zydis_.set_property(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    for (const auto property : {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_FORMATTER_PROP_DISP_PADDING,
                                ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
      zydis_.set_property(&formatter_, property, ZYDIS_PADDING_DISABLED);
    }
  }

  std::string text() {
    find_labels();
    std::string out;
    auto comment = listing_.comments.begin();
    for (size_t offset = 0; offset < listing_.code.size();) {
      for (; comment != listing_.comments.end() && comment->offset <= offset; ++comment)
        out += "; " + comment->text + "\n";
      if (const auto label = labels_.find(offset); label != labels_.end()) out += name_of(*label) + ":\n";
      char place[32];
      std::snprintf(place, sizeof place, "  %04zx  ", offset);
      out += place;
      const size_t length = decode(offset);
      out += length != 0 ? instruction_text(offset) : "(no instruction)";
      out += '\n';
      offset += length != 0 ? length : 1;
    }
    return out;
  }

 private:
  using Labels = std::map<size_t, int>;

  /// Fills instruction_ and operands_; 0: these bytes are no instruction.
  size_t decode(size_t offset) {
    const auto rest = listing_.code.subspan(offset);
    return ZYAN_SUCCESS(zydis_.decode(&decoder_, rest.data(), rest.size(), &instruction_, operands_))
               ? instruction_.length
               : 0;
  }

  /// The target of the decoded instruction if it is a direct jump or call.
  std::optional<uint64_t> direct_target(size_t offset) const {
    if (instruction_.operand_count_visible == 0) return {};
    const ZydisDecodedOperand& operand = operands_[0];
    uint64_t target = 0;
    if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !operand.imm.is_relative ||
        !ZYAN_SUCCESS(zydis_.absolute_address(&instruction_, &operand, base_ + offset, &target))) {
      return {};
    }
    return target;
  }

  void find_labels() {
    for (size_t offset = 0; offset < listing_.code.size();) {
      const size_t length = decode(offset);
      if (length != 0) {
        const auto target = direct_target(offset);
        if (target && *target - base_ < listing_.code.size()) labels_[*target - base_] = 0;
      }
      offset += length != 0 ? length : 1;
    }
    int number = 0;
    for (auto& label : labels_) label.second = ++number;
  }

  static std::string name_of(const Labels::value_type& label) { return "L" + std::to_string(label.second); }

  std::string symbol(uint64_t address) const {
    return listing_.symbol ? listing_.symbol(address) : std::string();
  }

  std::string instruction_text(size_t offset) const {
    if (const auto target = direct_target(offset)) {
      std::string name;
      if (const auto label = labels_.find(*target - base_); label != labels_.end()) {
        name = name_of(*label);
      } else if (name = symbol(*target); name.empty()) {
        name = hexadecimal(*target);
      }
      return std::string(zydis_.mnemonic(instruction_.mnemonic)) + " " + name;
    }
    return with_names(formatted(offset), offset);
  }

  std::string formatted(size_t offset) const {
    // Small constants are numbers, big ones are addresses and bit patterns.
    bool small = true;
    for (const ZydisDecodedOperand& operand : operands()) {
      if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE) continue;
      small = operand.imm.value.s == static_cast<int32_t>(operand.imm.value.s);
    }
    ZydisFormatter formatter = formatter_;
    zydis_.set_property(&formatter, ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS,
                        small ? ZYDIS_SIGNEDNESS_SIGNED : ZYDIS_SIGNEDNESS_UNSIGNED);
    char buffer[256];
    const auto status =
        zydis_.format(&formatter, &instruction_, operands_, instruction_.operand_count_visible, buffer,
                      sizeof buffer, base_ + offset, nullptr);
    return ZYAN_SUCCESS(status) ? buffer : "(cannot be printed)";
  }

  /// The name of a constant replaces it; that of the address of a memory operand follows.
  std::string with_names(std::string text, size_t offset) const {
    for (const ZydisDecodedOperand& operand : operands()) {
      uint64_t address = 0;
      if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        address = operand.imm.value.u;
        const std::string name = symbol(address);
        const size_t place = text.rfind(hexadecimal(address));
        if (!name.empty() && place != std::string::npos) text.replace(place, std::string::npos, name);
      } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_NONE) {
        address = static_cast<uint64_t>(operand.mem.disp.value);
        const std::string name = symbol(address), number = hexadecimal(address);
        const size_t place = text.rfind(number);
        if (!name.empty() && place != std::string::npos) text.replace(place, number.size(), name);
      } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
                 ZYAN_SUCCESS(zydis_.absolute_address(&instruction_, &operand, base_ + offset, &address))) {
        if (const std::string name = symbol(address); !name.empty()) text += "  ; " + name;
      }
    }
    return text;
  }

  std::span<const ZydisDecodedOperand> operands() const {
    return {operands_, instruction_.operand_count_visible};
  }

  static std::string hexadecimal(uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
  }

  const Zydis& zydis_;
  const Listing& listing_;
  uint64_t base_;
  ZydisDecoder decoder_;
  ZydisFormatter formatter_;
  ZydisDecodedInstruction instruction_;
  ZydisDecodedOperand operands_[ZYDIS_MAX_OPERAND_COUNT];
  Labels labels_;  ///< offset and number of each target of a jump
};

}  // namespace

std::optional<std::string> disassemble(const Listing& listing, std::string* error) {
  const Zydis* zydis = load_zydis(error);
  if (zydis == nullptr) return {};
  return Lister(*zydis, listing).text();
}

}  // namespace mangata
