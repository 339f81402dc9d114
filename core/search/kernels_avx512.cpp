#if defined(__x86_64__)
#define KERNEL_BYTES 64
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::AVX512_KERNELS = kernels_named("avx512");
#endif
