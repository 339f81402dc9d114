// Memory for large tables.
#pragma once

#include <cstddef>
#include <memory>

namespace noughts {

// Zeroed memory, aligned to cache lines. Pages are allocated when they are first touched, so a table may reserve its
// maximum and use only the part that it fills. Throws std::bad_alloc.
class HugePages {
  public:
    HugePages(std::size_t count, std::size_t bucket_bytes);
    void* data() const { return start_; }
    void claim();  // allocates all pages now, so that a search does not have to wait for them
    // Asks for huge pages in the first `bytes`, which are about to be used: they make random access faster. Does
    // nothing for a small part, since the first access to a huge page takes time.
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
