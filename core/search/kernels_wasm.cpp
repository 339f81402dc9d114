#if defined(__wasm_simd128__)
#define KERNEL_BYTES 16
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::WASM_KERNELS = kernels_named("simd128");
#endif
