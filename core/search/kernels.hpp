// The hot loops of the networks. They are compiled for several instruction sets; the best one that the processor and
// the system support is chosen at run time. All compute the same integers: 16-bit sums wrap around.
//
// This header and kernel_loops.hpp are compiled with instructions that not every processor has. They must not include
// anything that defines inline functions with external linkage: the linker keeps only one copy of such a function,
// possibly one with those instructions.
#pragma once

#include <cstdint>

namespace noughts {

// All counts of elements are multiples of this.
inline constexpr int CHUNK = 16;

// A change of one slot of a cell in a line network: for X, then for O, the row to subtract from the cell's view and the
// row to add.
struct ViewChange {
    std::int16_t* views;
    const std::int16_t* before[2];
    const std::int16_t* after[2];
};

struct Kernels {
    const char* name;

    // sums = a + b
    void (*add)(std::int16_t* sums, const std::int16_t* a, const std::int16_t* b, int count);
    // sums += after - before; before = after
    void (*replace)(std::int16_t* sums, std::int16_t* before, const std::int16_t* after, int count);
    // to = from, clipped to the range from 0 to `most`
    void (*clip)(std::int16_t* to, const std::int16_t* from, std::int16_t most, int count);
    // sums += from, clipped; or sums -= from, clipped
    void (*add_clipped)(std::int16_t* sums, const std::int16_t* from, std::int16_t most, int count);
    void (*subtract_clipped)(std::int16_t* sums, const std::int16_t* from, std::int16_t most, int count);
    // Multiplies inputs by a matrix. Its weights are stored by pair of inputs, then unit, then input within the pair.
    // All arrays are aligned to cache lines.
    void (*multiply)(int* sums, const std::int16_t* inputs, int pairs, const std::int16_t* weights, int units);
    // Applies changes to views, and adds the change of the clipped views to the gains of X and O. Stores the new views
    // only if `keeps`.
    void (*change_views)(const ViewChange* changes, int count, int lanes, std::int16_t most, bool keeps,
                         std::int16_t* gains_of_x, std::int16_t* gains_of_o);
};

extern const Kernels PORTABLE_KERNELS;
extern const Kernels SSE2_KERNELS, AVX2_KERNELS, AVX512_KERNELS;  // on x86-64
extern const Kernels NEON_KERNELS;                                // on 64-bit ARM
extern const Kernels WASM_KERNELS;                                // in WebAssembly

}  // namespace noughts
