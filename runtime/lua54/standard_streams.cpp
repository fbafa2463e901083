// What the copy of the assembler calls stderr; see CMakeLists.txt.
#include <cstdio>

extern "C" {
[[gnu::visibility("hidden")]] extern std::FILE* mangata_stderr;
std::FILE* mangata_stderr = stderr;
}
