// Names of what stands in call stacks, for tools that know a function by its name alone (pprof, speedscope, flamegraph.pl).
#pragma once

#include <string>
#include <string_view>

#include "profiler/model/time_profile.h"
#include "profiler/path_profile.h"

namespace mangata {

/// Above the frames of a stack that was deeper than what is kept of it.
inline constexpr std::string_view kMoreFrames = "[more]";

/// Control characters as blanks, each byte that is not UTF-8 as ?.
std::string one_line(std::string_view text);

/// "f (a.lua:3)", "main chunk (a.lua)", "function <a.lua:3>", "[C] string.rep", "[collector]": with its place, so that functions of one name
/// stay apart; in one line of UTF-8.
std::string frame_name(const FrameSymbol& symbol);

/// The file that tools may open for its source, in one line of UTF-8; what messages show where there is no file; empty of what is no Lua.
std::string frame_file(const FrameSymbol& symbol);

/// Where it begins: 1 for a main chunk, 0 of what is no Lua.
int32_t frame_line(const FrameSymbol& symbol);

/// As it stands in stacks.
FrameSymbol frame_symbol_of(const FunctionProfile& function);

}  // namespace mangata
