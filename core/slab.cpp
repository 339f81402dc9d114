#include "slab.hpp"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace noughts {
namespace {

constexpr std::size_t LARGE_PAGE = std::size_t{2} << 20;

}  // namespace

// calloc hands out untouched pages, which cost nothing until they are used; large pages make random access cheaper.
Slab::Slab(std::size_t count, std::size_t bucket_bytes) {
    const std::size_t bytes = count * bucket_bytes, alignment = bytes >= 8 * LARGE_PAGE ? LARGE_PAGE : 64;
    std::size_t room = bytes + alignment;
    memory_.reset(std::calloc(room, 1));
    if (!memory_) throw std::bad_alloc();
    start_ = memory_.get();
    std::align(alignment, bytes, start_, room);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == LARGE_PAGE) madvise(start_, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace noughts
