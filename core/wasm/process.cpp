// The process as seen from WebAssembly, where it never forks. support/process.cpp has the other functions, which end
// calls of other threads.
#include "support/process.hpp"

namespace noughts {

int forks() { return 0; }

void lock_during_forks(void (*)(), void (*)()) {}

}  // namespace noughts

// Thread-local objects are never destroyed: the only thread never ends.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
