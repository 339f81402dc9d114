// The process as seen from WebAssembly: it never forks (support/process.cpp has the other half of the functions, which
// end calls of other threads).
#include "support/process.hpp"

namespace noughts {

int forks() { return 0; }

void lock_during_forks(void (*)(), void (*)()) {}

}  // namespace noughts

// Destructors of thread-local objects: the only thread never ends.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
