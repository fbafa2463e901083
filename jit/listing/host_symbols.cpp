#include "jit/listing/host_symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mangata {
namespace {

/// The entries of a table in the image of a file; empty when it is not all there.
template <typename Entry>
std::span<const Entry> table_at(std::span<const char> file, size_t offset, size_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(Entry)) return {};
  return {reinterpret_cast<const Entry*>(file.data() + offset), count};
}

/// mangata::jit::(anonymous namespace)::leave_frame(Thread*) is shown as leave_frame.
std::string short_name(const char* symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  if (demangled == nullptr) return symbol;
  std::string name = demangled;
  std::free(demangled);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at; (at = name.find(kAnonymous)) != std::string::npos;) name.erase(at, kAnonymous.size());
  name.erase(std::min(name.find('('), name.size()));
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// Of the executable as it was linked: address -> mangled name. dladdr knows only what is exported.
std::unordered_map<uint64_t, std::string> read_symbols() {
  std::unordered_map<uint64_t, std::string> symbols;
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(stream), {}};
  const auto header = table_at<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return symbols;
  const auto sections = table_at<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const auto& strings = sections[section.sh_link];
    const auto names = table_at<char>(file, strings.sh_offset, strings.sh_size);
    for (const auto& symbol :
         table_at<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0 || symbol.st_name >= names.size())
        continue;
      symbols.emplace(symbol.st_value, names.data() + symbol.st_name);
    }
  }
  return symbols;
}

/// Where the executable was loaded, relative to its link addresses.
uint64_t load_offset() {
  uint64_t offset = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_addr;
        return 1;  // the first one is the executable
      },
      &offset);
  return offset;
}

}  // namespace

std::string host_symbol(uint64_t address) {
  static const std::unordered_map<uint64_t, std::string> symbols = read_symbols();
  static const uint64_t offset = load_offset();
  if (const auto found = symbols.find(address - offset); found != symbols.end()) {
    return short_name(found->second.c_str());
  }
  Dl_info info{};
  const auto* pointer = reinterpret_cast<const void*>(address);
  if (dladdr(pointer, &info) != 0 && info.dli_saddr == pointer) return short_name(info.dli_sname);
  return {};
}

}  // namespace mangata
