# find_package(mangata CONFIG) gives mangata::mangata, the C++ API, and mangata::lua54, the C API of Lua 5.4.
include("${CMAKE_CURRENT_LIST_DIR}/mangataTargets.cmake")
