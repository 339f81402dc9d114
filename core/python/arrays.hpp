// Access to the memory of arrays that Python passes: NumPy, any library with DLPack, and buffers.
#pragma once

#include <nanobind/ndarray.h>

#include <span>
#include <string>

#include "python/binding.hpp"

namespace noughts::python {

template <typename Item>
using Array = nb::ndarray<Item, nb::c_contig, nb::device::cpu>;

// The memory of an array-like object, without a copy. The object must have exactly `size` items.
template <typename Item>
std::span<Item> memory_of(nb::handle object, std::size_t size, const char* kind) {
    Array<Item> array;
    if (!nb::try_cast(object, array, false))
        throw nb::type_error((std::string("expected a contiguous array of ") + kind + " in main memory, got " +
                              (object.is_none() ? "None" : nb::type_name(object.type()).c_str()))
                                 .c_str());
    require(array.size() == size,
            "expected an array of " + std::to_string(size) + " items, got " + std::to_string(array.size()));
    return {array.data(), size};
}

}  // namespace noughts::python
