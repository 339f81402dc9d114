"""Numbers of system errors."""

EROFS, EINVAL, ENOTSUP = 30, 22, 95
