// [DESIGN] Nothing in this module is ever destroyed. The process may exit while the compile thread works, and destructors
// that run then would pull LLVM's tables away under it. LLVM makes many of them when they are first needed, so no order of
// exit handlers helps: whatever is made during a compilation would be destroyed first. The linker sends the module's
// registrations (-Wl,--wrap=__cxa_atexit) here, where they end.
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
