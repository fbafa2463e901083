#include "jit/observers/code_object.h"

#include <elf.h>

#include <cstring>
#include <string>

#include "jit/observers/byte_writer.h"
#include "jit/observers/dwarf.h"

namespace mangata {
namespace {

/// The sections in the order in which they were added, and the file made of them.
class ObjectFile {
 public:
  ObjectFile() {
    sections_.push_back({});  // section 0 is null
    names_.u8(0);
    file_.raw(std::vector<uint8_t>(sizeof(Elf64_Ehdr)).data(), sizeof(Elf64_Ehdr));
  }

  /// Returns the header, to complete it: it is valid until the next section is added.
  Elf64_Shdr& add(const char* name, uint32_t type, const std::vector<uint8_t>& bytes) {
    file_.pad_to(8);
    Elf64_Shdr header = {};
    header.sh_name = add_name(name);
    header.sh_type = type;
    header.sh_offset = file_.size();
    header.sh_size = bytes.size();
    header.sh_addralign = 1;
    file_.raw(bytes.data(), bytes.size());
    sections_.push_back(header);
    return sections_.back();
  }

  size_t section_count() const { return sections_.size(); }

  std::vector<uint8_t> finish() {
    const uint32_t name = add_name(".shstrtab");
    add("", SHT_STRTAB, names_.take()).sh_name = name;
    file_.pad_to(8);
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;  // addresses are final: gdb relocates nothing
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = file_.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections_.size());
    header.e_shstrndx = static_cast<Elf64_Half>(sections_.size() - 1);
    file_.raw(sections_.data(), sections_.size() * sizeof(Elf64_Shdr));
    std::vector<uint8_t> bytes = file_.take();
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  }

 private:
  uint32_t add_name(const char* name) {
    const auto at = static_cast<uint32_t>(names_.size());
    names_.string(name);
    return at;
  }

  ByteWriter file_;
  ByteWriter names_;
  std::vector<Elf64_Shdr> sections_;
};

template <typename T>
void append(std::vector<uint8_t>* bytes, const T& value) {
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  bytes->insert(bytes->end(), first, first + sizeof value);
}

}  // namespace

std::vector<uint8_t> make_code_object(const CodeDescription& code) {
  ObjectFile object;
  const auto start = reinterpret_cast<uint64_t>(code.start);

  const auto text_index = static_cast<uint16_t>(object.section_count());
  Elf64_Shdr& text = object.add(".text", SHT_NOBITS, {});
  text.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  text.sh_addr = start;
  text.sh_size = code.size_bytes;
  text.sh_addralign = 16;

  ByteWriter strings;
  strings.u8(0);
  strings.string(symbol_name(code));
  const auto strings_index = static_cast<uint32_t>(object.section_count());
  object.add(".strtab", SHT_STRTAB, strings.take());

  std::vector<uint8_t> symbols;
  append(&symbols, Elf64_Sym{});
  append(&symbols, Elf64_Sym{.st_name = 1,
                             .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                             .st_other = STV_DEFAULT,
                             .st_shndx = text_index,
                             .st_value = start,
                             .st_size = code.size_bytes});
  Elf64_Shdr& symtab = object.add(".symtab", SHT_SYMTAB, symbols);
  symtab.sh_link = strings_index;
  symtab.sh_info = 1;  // the first global symbol
  symtab.sh_entsize = sizeof(Elf64_Sym);
  symtab.sh_addralign = 8;

  Elf64_Shdr& eh_frame = object.add(".eh_frame", SHT_PROGBITS, make_eh_frame(code));
  eh_frame.sh_flags = SHF_ALLOC;
  eh_frame.sh_addralign = 8;

  if (!code.lines.empty() && !code.source.empty()) {
    const DebugSections debug = make_debug_sections(code);
    object.add(".debug_abbrev", SHT_PROGBITS, debug.abbrev);
    object.add(".debug_info", SHT_PROGBITS, debug.info);
    object.add(".debug_line", SHT_PROGBITS, debug.line);
  }
  return object.finish();
}

}  // namespace mangata
