// Memory for tables that are read at random.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace noughts {

// Zeroed memory for `count` buckets, aligned to the processor's cache lines; pages are claimed as they are first used.
class Slab {
   public:
    Slab(std::size_t count, std::size_t bucket_bytes);
    void* data() const { return start_; }

   private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    void* start_ = nullptr;
};

}  // namespace noughts
