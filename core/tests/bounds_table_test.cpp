#include "tactics/bounds_table.hpp"

#include "check.hpp"
#include "snapshots.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr std::size_t MEGABYTE = 1 << 20;

}  // namespace

TEST("tables forget nothing while they grow, and can be saved at any moment") {
    const auto check = [](auto table, auto key_of, std::uint64_t step) {
        const auto has_all = [&key_of](const auto& read, std::uint64_t end) {
            std::uint64_t missing = 0;
            for (std::uint64_t i = 0; i < end; ++i) missing += !read.probe(key_of(i)).is_exact();
            return missing * 10 <= end;  // of those that share a bucket some are replaced
        };
        std::uint64_t stored = 0;
        for (int round = 0; round < 40; ++round) {
            for (const std::uint64_t end = stored + step; stored < end; ++stored)
                table.store(key_of(stored), {1, 1}, 1);
            if (round % 3 == 0) CHECK(has_all(table, stored));
            if (round % 10 != 9) continue;
            const std::string saved = saved_bytes([&](SnapshotWriter& out) { table.save(out); });
            decltype(table) second(8 * MEGABYTE);
            SnapshotReader in = reader_of(saved);
            second.load(in);
            CHECK(has_all(second, stored));
        }
    };
    check(NarrowTable(32 * MEGABYTE), [](std::uint64_t i) { return mix(i); }, 2'000);
    check(WideTable(32 * MEGABYTE), [](std::uint64_t i) { return WideTable::Key{i, i * i}; }, 777);
}
