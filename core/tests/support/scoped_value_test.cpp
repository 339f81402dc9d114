#include "support/scoped_value.hpp"

#include <stdexcept>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("a scoped value ends with its scope, also by an exception") {
    int variable = 1;
    try {
        const ScopedValue outer(variable, 2);
        {
            const ScopedValue inner(variable, 3);
            CHECK_EQUAL(variable, 3);
        }
        CHECK_EQUAL(variable, 2);
        throw std::runtime_error("the end");
    } catch (const std::runtime_error&) {
        CHECK_EQUAL(variable, 1);
    }
}
