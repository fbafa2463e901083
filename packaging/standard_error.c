/* What asmjit takes for stderr in libmangata.so (runtime/embed/CMakeLists.txt). */
#include <stdio.h>

__attribute__((visibility("hidden"))) FILE* mangata_stderr;

__attribute__((constructor)) static void set_stream(void) { mangata_stderr = stderr; }
