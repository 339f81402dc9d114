// Vectors that start at a cache line, so that no load of a SIMD register touches two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace noughts {

template <typename T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t ALIGNMENT{64};

    CacheLineAllocator() = default;
    template <typename U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), ALIGNMENT)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, ALIGNMENT); }
    bool operator==(const CacheLineAllocator&) const { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace noughts
