// The C API for C++ sources.
extern "C" {
#include "lua.h"

#include "lauxlib.h"
#include "lualib.h"
}
