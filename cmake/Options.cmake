# How every translation unit of Mangata is compiled. Presets (CMakePresets.json) only choose among these options.
set(MANGATA_SANITIZE "" CACHE STRING "Sanitizers to build with: empty, address (with undefined behaviour) or thread")
set_property(CACHE MANGATA_SANITIZE PROPERTY STRINGS "" address thread)
option(MANGATA_LTO "Link-time optimization" OFF)

# Compiled code exists for one machine; everywhere else, and without the option, everything is interpreted.
include(CMakeDependentOption)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(jit_possible ON)
endif()
cmake_dependent_option(MANGATA_JIT "The compiler to machine code (x86-64 only)" ON "jit_possible" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)   # computed goto in the dispatch loop, __int128 in the numbers
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)   # calls inside the engine are direct and can be inlined
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${MANGATA_LTO})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# -g1 keeps function names and lines for perf and for crash reports at almost no cost in build time. NDEBUG removes
# the assertions. Flags that only the dispatch loop wants (no SLP vectorizer) are set by vm/ on its own files.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG -ffunction-sections")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")   # the sanitizer presets: assertions stay on
add_compile_options(-Wall -Wextra -Werror=return-type)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # An attribute that only g++ has; and libstdc++ 12's stable_sort calls a function that it declares deprecated.
  add_compile_options(-Wno-unknown-attributes -Wno-deprecated-declarations)
endif()

# Includes are rooted at the repository: #include "numbering/path_dag.h" names the layer it reaches into.
include_directories(${PROJECT_SOURCE_DIR})

if(MANGATA_SANITIZE STREQUAL "address")
  # The optimizer's module has no RTTI, as LLVM has none: nobody can check its vptrs.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    list(APPEND sanitizers -fno-sanitize=function)   # it reads the type of a callee in front of the callee: machine code has none there
    list(APPEND sanitizers -D__SANITIZE_ADDRESS__)   # as g++ does by itself: what depends on it tells the sanitizer of switched stacks
  endif()
elseif(MANGATA_SANITIZE STREQUAL "thread")
  # Its record of who called whom is one per thread and has no bounds. Coroutines that end on another thread than they began on, and
  # errors that leave C functions as by longjmp, would lead out of it; a fiber for each coroutine takes it a millisecond. So none is
  # kept, and what it reports has the innermost function only.
  set(sanitizers -fsanitize=thread -fno-omit-frame-pointer --param=tsan-instrument-func-entry-exit=0)
elseif(MANGATA_SANITIZE)
  message(FATAL_ERROR "MANGATA_SANITIZE=${MANGATA_SANITIZE}: use address, thread, or nothing")
endif()
add_compile_options(${sanitizers})
add_link_options(${sanitizers})

find_program(MANGATA_CCACHE ccache)
if(MANGATA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MANGATA_CCACHE})
endif()
