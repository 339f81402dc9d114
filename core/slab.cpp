#include "slab.hpp"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace noughts {
namespace {

constexpr std::size_t LARGE_PAGE = std::size_t{2} << 20, SMALL_PAGE = 4096;

}  // namespace

// calloc hands out untouched pages, which cost nothing until they are used; large pages make random access cheaper.
Slab::Slab(std::size_t count, std::size_t bucket_bytes) : bytes_(count * bucket_bytes) {
    const std::size_t alignment = bytes_ >= 8 * LARGE_PAGE ? LARGE_PAGE : 64;
    std::size_t room = bytes_ + alignment;
    memory_.reset(std::calloc(room, 1));
    if (!memory_) throw std::bad_alloc();
    start_ = memory_.get();
    std::align(alignment, bytes_, start_, room);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == LARGE_PAGE) madvise(start_, bytes_, MADV_HUGEPAGE);
#endif
}

void Slab::claim() {
    volatile char* bytes = static_cast<char*>(start_);
    for (std::size_t at = 0; at < bytes_; at += SMALL_PAGE) bytes[at] = 0;
}

}  // namespace noughts
