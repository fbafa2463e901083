# find_package(mangata CONFIG) gives mangata::mangata.
include("${CMAKE_CURRENT_LIST_DIR}/mangataTargets.cmake")
