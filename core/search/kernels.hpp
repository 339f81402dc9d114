// The hot loops of the networks. They are compiled for several instruction sets, and the best one that the processor
// and the system support is chosen at run time. All give the same integers: sums of 16 bits wrap around.
//
// This header and kernel_loops.hpp are compiled with instructions that not every processor has. They must not include
// anything that defines inline functions with external linkage: the linker keeps one copy of these, perhaps that one.
#pragma once

#include <cstdint>

namespace noughts {

// Numbers of elements are multiples of this.
inline constexpr int CHUNK = 16;

// New rows in a cell's views of its lines: see line networks. Sides are X, then O.
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
    // Multiplies pairs of inputs by a matrix, which is stored by pair of inputs, unit, and input of the pair. All are
    // aligned to cache lines.
    void (*multiply)(int* sums, const std::int16_t* inputs, int pairs, const std::int16_t* weights, int units);
    // Adds to the gains of X and O what changes of views add to the clipped views, and writes these if it `keeps` them.
    void (*change_views)(const ViewChange* changes, int count, int lanes, std::int16_t most, bool keeps,
                         std::int16_t* gains_of_x, std::int16_t* gains_of_o);
};

extern const Kernels PORTABLE_KERNELS;
extern const Kernels SSE2_KERNELS, AVX2_KERNELS, AVX512_KERNELS;  // on x86-64
extern const Kernels NEON_KERNELS;                                // on 64-bit ARM
extern const Kernels WASM_KERNELS;                                // in WebAssembly

}  // namespace noughts
