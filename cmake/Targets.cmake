# The two kinds of target the layers are made of.

# mangata_library(<folder> [dependency...]) makes the static library mangata_<folder> from every .cpp below the calling
# folder, except those of nested folders that have a CMakeLists.txt of their own (runtime/cli makes the executable).
function(mangata_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list_file IN LISTS nested)
    get_filename_component(own_target ${list_file} DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${own_target}/")
  endforeach()
  add_library(mangata_${folder} STATIC ${sources})
  target_include_directories(mangata_${folder} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(mangata_${folder} PUBLIC ${ARGN})
endfunction()

# Debian's libasmjit.a is compiled for executables: the one thing that a shared library must not refer to so is `stderr`. A copy of
# the archive refers to a variable of ours instead (packaging/standard_error.c). Target: shared_assembler.
if(MANGATA_JIT)
  set(MANGATA_SHARED_ASSEMBLER ${PROJECT_BINARY_DIR}/libasmjit_shared.a)
  add_custom_command(OUTPUT ${MANGATA_SHARED_ASSEMBLER} VERBATIM
                     COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=mangata_stderr $<TARGET_FILE:asmjit::asmjit> ${MANGATA_SHARED_ASSEMBLER}
                     DEPENDS $<TARGET_FILE:asmjit::asmjit>)
  add_custom_target(shared_assembler DEPENDS ${MANGATA_SHARED_ASSEMBLER})
endif()

# mangata_static_runtime(<executable>) links libstdc++ and libgcc statically: relocating the shared ones is about half
# of the start-up time of a small process. The sanitizers need the shared ones.
function(mangata_static_runtime executable)
  if(NOT MANGATA_SANITIZE)
    target_link_options(${executable} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# mangata_exports_c_api(<executable>) lets libraries that it loads call the C API of Lua. The executable links mangata_runtime as a
# whole archive, as nothing else refers to most of it.
function(mangata_exports_c_api executable)
  set(list ${PROJECT_SOURCE_DIR}/cmake/c_api.list)
  target_link_options(${executable} PRIVATE -Wl,--dynamic-list=${list})
  set_property(TARGET ${executable} APPEND PROPERTY LINK_DEPENDS ${list})
endfunction()

# mangata_small_image(<executable>) keeps little of the executable in memory: without what nothing refers to, with its relative
# relocations packed, and, where the linker is GNU ld, with the functions that ordinary runs execute side by side
# (order_functions.py), by the linker's own script with their sections before all others. Code is compiled to a section per function
# for it (Options.cmake).
include(CheckLinkerFlag)
function(mangata_small_image executable)
  check_linker_flag(CXX -Wl,-z,pack-relative-relocs MANGATA_LINKER_PACKS_RELOCATIONS)
  target_link_options(${executable} PRIVATE -Wl,--gc-sections
                      $<$<BOOL:${MANGATA_LINKER_PACKS_RELOCATIONS}>:-Wl,-z,pack-relative-relocs>)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -Wl,--verbose OUTPUT_VARIABLE linker ERROR_QUIET)
  set(first_code "*(.text.unlikely ")
  if(MANGATA_SANITIZE OR NOT linker MATCHES "^GNU ld.*\n====+\n(.*)\n====+\n" OR NOT linker MATCHES "[*][(]\\.text\\.unlikely ")
    return()
  endif()
  string(REGEX REPLACE ".*\n====+\n(.*)\n====+\n.*" "\\1" script "${linker}")
  set(list ${PROJECT_SOURCE_DIR}/cmake/function_order.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} names)
  list(TRANSFORM names PREPEND "*(.text.")
  list(TRANSFORM names APPEND ")")
  # What runs before main() is in sections of another name, and objects made elsewhere have no section per function.
  list(PREPEND names "*crt1.o(.text .text.*)" "*libgcc.a:(.text .text.*)" "*libc_nonshared.a:(.text .text.*)"
       "*(.text.startup .text.startup.*)")
  list(APPEND names "*libasmjit.a:(.text .text.*)")
  list(JOIN names "\n" names)
  string(REPLACE "${first_code}" "${names}\n${first_code}" script "${script}")
  file(CONFIGURE OUTPUT function_order.ld CONTENT "${script}" @ONLY)
  target_link_options(${executable} PRIVATE -Wl,-T,${CMAKE_CURRENT_BINARY_DIR}/function_order.ld)
  set_property(TARGET ${executable} APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/function_order.ld)
endfunction()
