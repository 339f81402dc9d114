#include "search/instruction_set.hpp"

#include <atomic>
#include <span>
#include <stdexcept>
#include <string>

#include "support/machine.hpp"

namespace noughts {
namespace {

std::atomic<const Kernels*> in_use{nullptr};

// The kernels that this machine supports, the fastest first.
std::vector<const Kernels*> supported() {
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    // CMakeLists.txt compiles the kernels for these instruction sets.
    if (has_avx512()) found.push_back(&AVX512_KERNELS);
    if (has_avx2()) found.push_back(&AVX2_KERNELS);
    found.push_back(&SSE2_KERNELS);
#elif defined(__aarch64__)
    found.push_back(&NEON_KERNELS);  // all 64-bit ARM processors have it
#elif defined(__wasm_simd128__)
    found.push_back(&WASM_KERNELS);
#endif
    found.push_back(&PORTABLE_KERNELS);
    return found;
}

}  // namespace

const Kernels& kernels() {
    const Kernels* chosen = in_use.load(std::memory_order_relaxed);
    if (!chosen) {
        chosen = supported().front();
        in_use.store(chosen, std::memory_order_relaxed);
    }
    return *chosen;
}

std::vector<std::string_view> instruction_sets() {
    std::vector<std::string_view> names;
    for (const Kernels* each : supported()) names.emplace_back(each->name);
    return names;
}

void set_instruction_set(std::string_view name) {
    std::string known;
    for (const Kernels* each : supported()) {
        if (each->name == name) return in_use.store(each, std::memory_order_relaxed);
        known += (known.empty() ? "" : ", ") + std::string(each->name);
    }
    throw std::invalid_argument("expected one of " + known + ", got " + std::string(name));
}

}  // namespace noughts
