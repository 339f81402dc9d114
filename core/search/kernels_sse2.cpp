#if defined(__x86_64__)
#define KERNEL_BYTES 16
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::SSE2_KERNELS = kernels_named("sse2");
#endif
