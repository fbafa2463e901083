/* What the copy of asmjit in shared libraries calls stderr (cmake/Targets.cmake). */
#include <stdio.h>

__attribute__((visibility("hidden"))) FILE* mangata_stderr;

__attribute__((constructor)) static void set_stream(void) { mangata_stderr = stderr; }
