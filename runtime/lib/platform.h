// Names of the system and the machine, as LuaJIT has them.
#pragma once

namespace mangata {

inline constexpr const char* kOperatingSystem =
#if defined(_WIN32)
    "Windows";
#elif defined(__linux__)
    "Linux";
#elif defined(__APPLE__)
    "OSX";
#elif defined(__unix__)
    "POSIX";
#else
    "Other";
#endif

inline constexpr const char* kArchitecture =
#if defined(__x86_64__)
    "x64";
#elif defined(__aarch64__)
    "arm64";
#elif defined(__i386__)
    "x86";
#else
    "other";
#endif

}  // namespace mangata
