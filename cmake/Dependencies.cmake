# Every third-party package, found once. `./dev` installs the Debian packages named here when they are missing, so the
# two lists must agree. Which layer may include what is written down in tests/layers/check_layers.py.
find_package(Threads REQUIRED)

# vm: the switch between coroutine stacks (libboost-context-dev). Static, so that `mangata` needs no Boost at run time.
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.74 REQUIRED COMPONENTS context)

# profiler: the JSON report; runtime/tiering: records of decisions (nlohmann-json3-dev), header only.
find_package(nlohmann_json 3.11 REQUIRED CONFIG)

# profiler: the format pprof, its messages (libprotozero-dev), header only, and their compression (zlib1g-dev): as a static library in
# executables, whose start-up a shared one would slow down; Debian's archive is not made for libraries of ours (MANGATA_ZLIB_SHARED).
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_builder.hpp REQUIRED)
find_package(ZLIB REQUIRED)
set(MANGATA_ZLIB_SHARED ZLIB::ZLIB)
find_library(LIBZ_ARCHIVE libz.a)
if(LIBZ_ARCHIVE)
  set(MANGATA_ZLIB ${LIBZ_ARCHIVE})
else()
  set(MANGATA_ZLIB ZLIB::ZLIB)
endif()

# jit: the assembler (libasmjit-dev), a static library in Debian; and the headers of the disassembler of --dump=asm
# (libzydis-dev), whose library is loaded when a disassembly is asked for.
if(MANGATA_JIT)
  find_package(asmjit REQUIRED CONFIG)
  find_package(zydis 4.0 REQUIRED CONFIG)
  # jit/optimizer: the optimizing compiler (llvm-19-dev, libzstd-dev; its static libraries), a module of its own; without it there are two tiers.
  foreach(version 19.1 20.1 18.1)
    if(NOT LLVM_FOUND)
      find_package(LLVM ${version} QUIET CONFIG PATHS /usr/lib/llvm-19 /usr/lib/llvm-20 /usr/lib/llvm-18)
    endif()
  endforeach()
  if(LLVM_FOUND AND NOT TARGET LLVMOrcJIT)
    message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} comes without static libraries: there is no optimizing compiler")
    set(LLVM_FOUND OFF)
  endif()
endif()

# runtime/cli: line editing and history of the REPL (libedit-dev, pkg-config).
find_package(PkgConfig REQUIRED)
pkg_check_modules(libedit REQUIRED IMPORTED_TARGET libedit)

# runtime/ffi: calls of C functions and callbacks (libffi-dev). Debian has a static one for executables and libraries alike; a
# linked shared one would cost each run its start-up.
pkg_check_modules(libffi REQUIRED IMPORTED_TARGET libffi)
find_library(LIBFFI_ARCHIVE libffi_pic.a)
if(LIBFFI_ARCHIVE)
  set(MANGATA_LIBFFI ${LIBFFI_ARCHIVE})
else()
  set(MANGATA_LIBFFI PkgConfig::libffi)
endif()

if(BUILD_TESTING)
  # tests (libgtest-dev) and bench/micro (libbenchmark-dev).
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED CONFIG)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # The interpreter itself: what is found may be a script that looks for it at each of a thousand starts.
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)" OUTPUT_VARIABLE Python3_EXECUTABLE
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
