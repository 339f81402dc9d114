// Memory for large tables.
#pragma once

#include <cstddef>
#include <memory>

namespace noughts {

// Zeroed memory for `count` buckets, aligned to cache lines. Pages are allocated when they are first touched, so that a
// table may reserve all it is allowed and use no more than it fills. Throws std::bad_alloc.
class HugePages {
  public:
    HugePages(std::size_t count, std::size_t bucket_bytes);
    void* data() const { return start_; }
    void claim();  // allocates all pages at once, so that no search waits for them
    // Asks for huge pages in the first `bytes`, which are about to be used: they make random access cheaper. Does
    // nothing for a small part, since a huge page costs time when it is first touched.
    void prepare(std::size_t bytes);

  private:
    struct Free {
        std::size_t bytes;
        void operator()(void* memory) const;
    };
    std::unique_ptr<void, Free> memory_;
    void* start_ = nullptr;
    std::size_t bytes_;
};

}  // namespace noughts
