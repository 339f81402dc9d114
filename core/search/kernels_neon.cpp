#if defined(__aarch64__)
#define KERNEL_BYTES 16
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::NEON_KERNELS = kernels_named("neon");
#endif
