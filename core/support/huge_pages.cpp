#include "support/huge_pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace noughts {
namespace {

constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20, SMALL_PAGE = 4096;

// On Linux, calloc fails for more memory than the machine has, even if it is never used; a mapping without reserve does
// not.
void* allocate(std::size_t bytes) {
#ifdef __linux__
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
#else
    return std::calloc(bytes, 1);
#endif
}

}  // namespace

void HugePages::Free::operator()(void* memory) const {
#ifdef __linux__
    munmap(memory, bytes);
#else
    std::free(memory);
#endif
}

HugePages::HugePages(std::size_t count, std::size_t bucket_bytes) : bytes_(count * bucket_bytes) {
    const std::size_t alignment = bytes_ >= 8 * HUGE_PAGE ? HUGE_PAGE : 64;
    std::size_t room = bytes_ + alignment;
    memory_ = {allocate(room), Free{room}};
    if (!memory_) throw std::bad_alloc();
    start_ = memory_.get();
    std::align(alignment, bytes_, start_, room);
}

void HugePages::prepare([[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= 8 * HUGE_PAGE) madvise(start_, std::min(bytes, bytes_), MADV_HUGEPAGE);
#endif
}

void HugePages::claim() {
    prepare(bytes_);
    volatile char* bytes = static_cast<char*>(start_);
    for (std::size_t at = 0; at < bytes_; at += SMALL_PAGE) bytes[at] = 0;
}

}  // namespace noughts
