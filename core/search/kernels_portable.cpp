#define KERNEL_BYTES 0
#include "search/kernel_loops.hpp"

const noughts::Kernels noughts::PORTABLE_KERNELS = kernels_named("portable");
