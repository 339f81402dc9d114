# The tag that C++ exceptions carry, which the compiler's own library would define.
        .tagtype __cpp_exception i32
        .globl __cpp_exception
__cpp_exception:
