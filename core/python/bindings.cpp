// The Python module: its constants, its shutdown, and helpers for all its parts.
#include <chrono>
#include <system_error>
#include <thread>

#include "python/binding.hpp"

#if defined(Py_LIMITED_API)
#include <dlfcn.h>
#endif

namespace noughts::python {
namespace {

constexpr auto EXIT_TIMEOUT = std::chrono::seconds(5);

PerSide<PyObject*> side_objects;  // kept as long as Python runs

// While Python finalizes, it ends threads that ask for the interpreter lock, which C++ does not survive. Such threads
// hang here instead until the process ends.
[[noreturn]] void hang_thread() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030d0000
// In the stable ABI of Python 3.12 this function is missing; there it has another name.
bool is_python_finalizing() {
    using Function = int (*)();
    static const auto find = [](const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name)); };
    static const Function later = find("Py_IsFinalizing"), function = later ? later : find("_Py_IsFinalizing");
    return function() != 0;
}
#elif PY_VERSION_HEX >= 0x030d0000
bool is_python_finalizing() { return Py_IsFinalizing(); }
#else
bool is_python_finalizing() { return _Py_IsFinalizing(); }
#endif

void register_sides(nb::object x, nb::object o) {
    side_objects[X] = x.release().ptr();
    side_objects[O] = o.release().ptr();
}

void raise_os_errors() {
    nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
        try {
            std::rethrow_exception(raised);
        } catch (const std::system_error& error) {
            PyErr_SetString(PyExc_OSError, error.what());
        }
    });
}

// Before the interpreter exits, ends calls that are running in other threads.
void shut_down_at_exit() {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        const nb::gil_scoped_release release;
        shut_down(EXIT_TIMEOUT);
    }));
}

}  // namespace

GilRelease::GilRelease() : call_(std::in_place), state_(PyEval_SaveThread()) {
    if (is_shutting_down()) hang();
}

GilRelease::~GilRelease() {
    if (is_python_finalizing()) hang();
    PyEval_RestoreThread(state_);
}

void GilRelease::hang() {
    call_.reset();
    hang_thread();
}

GilAcquire::Check::Check() {
    if (is_python_finalizing()) hang_thread();
}

bool Call::must_end() {
    if (raised_ || is_shutting_down()) return true;
    const GilAcquire acquired;
    return !survives([this] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (watch_ && !watch_->is_none()) (*watch_)();
        return true;
    });
}

nb::object side_object(Side side) {
    if (side == NO_SIDE) return nb::none();
    return side_objects[side] ? nb::borrow(side_objects[side]) : nb::int_(index(side));
}

}  // namespace noughts::python

NB_MODULE(_core, m) {
    using namespace noughts::python;
    nb::set_leak_warnings(false);  // games that live until the interpreter ends are not leaks
    m.doc() = "The compiled core of noughts; use the package `noughts` instead.";
#ifdef NOUGHTS_SANITIZED
    m.attr("SANITIZED") = true;
#else
    m.attr("SANITIZED") = false;
#endif
    m.def("register_sides", &register_sides, "x"_a, "o"_a, "Set the objects that stand for X and O.");
    raise_os_errors();
    noughts::watch_forks();
    shut_down_at_exit();
    bind_game(m);
    bind_search(m);
    bind_mcts(m);
    bind_solve(m);
    bind_envs(m);
    bind_train(m);
}
