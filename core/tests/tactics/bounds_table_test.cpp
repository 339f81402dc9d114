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
            return missing * 10 <= end;  // entries that share a bucket may replace each other
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

TEST("a table that is open to threads grows between their searches, and tells its use") {
    const auto check = [](auto table, auto key_of) {
        std::uint64_t stored = 0;
        for (const std::uint64_t more : {1'000, 30'000, 100'000}) {
            table.open_to_threads(more);
            const std::size_t bytes = table.use().bytes;
            for (const std::uint64_t end = stored + more; stored < end; ++stored)
                table.store(key_of(stored), {1, 1}, 1);
            CHECK_EQUAL(table.use().bytes, bytes);
            CHECK(bytes <= 64 * MEGABYTE);
            std::uint64_t missing = 0;
            for (std::uint64_t i = 0; i < stored; ++i) missing += !table.probe(key_of(i)).is_exact();
            CHECK(missing * 10 <= stored);
        }
        CHECK(table.use().bytes < 64 * MEGABYTE);
        CHECK(table.use().hashfull > 0);
    };
    check(NarrowTable(64 * MEGABYTE), [](std::uint64_t i) { return mix(i); });
    check(WideTable(64 * MEGABYTE), [](std::uint64_t i) { return WideTable::Key{i, i * i}; });
}
