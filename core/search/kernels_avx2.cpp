#if defined(__x86_64__)
#define KERNEL_BYTES 32
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::AVX2_KERNELS = kernels_named("avx2");
#endif
