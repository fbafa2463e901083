// The executable `mangata-report`: reports from saved profiles.
#include "profiler/reader/reader.h"

int main(int argc, char** argv) { return mangata::run_reader(argc, argv, "mangata-report"); }
