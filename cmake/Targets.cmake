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

# mangata_static_runtime(<executable>) links libstdc++ and libgcc statically: relocating the shared ones is about half
# of the start-up time of a small process. The sanitizers need the shared ones.
function(mangata_static_runtime executable)
  if(NOT MANGATA_SANITIZE)
    target_link_options(${executable} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
