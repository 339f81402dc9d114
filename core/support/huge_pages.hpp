// Memory for large tables.
#pragma once

#include <cstddef>
#include <memory>

namespace noughts {

// Zeroed memory for `count` buckets, aligned to the processor's cache lines. Pages are claimed as they are first used,
// so that a table may reserve all it is allowed and take up no more than it fills. Throws std::bad_alloc.
class HugePages {
  public:
    HugePages(std::size_t count, std::size_t bucket_bytes);
    void* data() const { return start_; }
    void claim();  // all pages at once, so that a search in a hurry need not wait for them
    // The first `bytes` are about to be used: large pages make random access cheaper there. A small part is left alone,
    // since a large page costs time when it is first touched.
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
