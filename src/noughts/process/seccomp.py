"""A filter of system calls for programs in the sandbox, as a program for the kernel's classic BPF machine.

The filter refuses calls by which a program could reach other processes, mount file systems, create namespaces or use
memory that is not counted, and calls that have often been the way into the kernel. Everything else is allowed.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import NamedTuple

__all__ = ["filter_program"]


class Machine(NamedTuple):
    """A processor's name for the kernel, and whether its calls have a second numbering (x32) that must be refused."""

    audit_arch: int
    column: int
    """The column of its call numbers in ``REFUSED``."""
    has_x32: bool = False


MACHINES = {
    "x86_64": Machine(0xC000003E, 0, has_x32=True),
    "aarch64": Machine(0xC00000B7, 1),
}
REFUSED: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}
"""Calls that fail with EPERM, each with its number on x86_64 and aarch64."""
CLONE, CLONE3, IOCTL, MEMFD_CREATE = (56, 220), (435, 435), (16, 29), (319, 279)
SOCKET, SOCKETPAIR, SETSOCKOPT = (41, 198), (53, 199), (54, 208)
NEW_NAMESPACES = 0x7E020080
"""All flags of ``clone`` that create a namespace."""
TERMINAL_REQUESTS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which type into a terminal."""
SOCKET_FAMILIES = (1,)
"""AF_UNIX. The others are of no use without a network, use memory that is not counted, or, as AF_VSOCK, are not
confined to the sandbox's empty network."""
SOCKET_LEVEL = 1
"""SOL_SOCKET."""
BUFFER_OPTIONS = (7, 8, 32, 33)
"""SO_SNDBUF and SO_RCVBUF, and both by force."""
X32_BIT = 0x40000000

LOAD, JUMP_EQUAL, JUMP_ANY_BIT, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in the data of a call."""
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000


def filter_program(machine: str | None = None) -> bytes | None:
    """Return the filter for bubblewrap's ``--seccomp``, or None on a processor that it does not know."""
    known = MACHINES.get(platform.machine() if machine is None else machine)
    if known is None:
        return None
    code = [_step(LOAD, ARCHITECTURE), _step(JUMP_EQUAL, known.audit_arch, 1, 0), _step(RETURN, KILL)]
    code.append(_step(LOAD, NUMBER))
    if known.has_x32:
        code += [_step(JUMP_AT_LEAST, X32_BIT, 0, 1), _step(RETURN, FAIL | errno.ENOSYS)]
    for numbers in REFUSED.values():
        number = numbers[known.column]
        if number is not None:
            code += _for_call(number, [_step(RETURN, FAIL | errno.EPERM)])
    # A C library without clone3 uses clone, whose flags a filter can read. Memory files can be hidden in sockets, where
    # nothing counts them; those in /dev/shm take their place.
    for call in (CLONE3, MEMFD_CREATE):
        code += _for_call(call[known.column], [_step(RETURN, FAIL | errno.ENOSYS)])
    code += _for_call(CLONE[known.column], _refuse_argument(0, JUMP_ANY_BIT, (NEW_NAMESPACES,), errno.EPERM))
    code += _for_call(IOCTL[known.column], _refuse_argument(1, JUMP_EQUAL, TERMINAL_REQUESTS, errno.EPERM))
    for call in (SOCKET, SOCKETPAIR):
        code += _for_call(call[known.column], _allow_argument(0, SOCKET_FAMILIES, errno.EAFNOSUPPORT))
    code += _for_call(SETSOCKOPT[known.column], _ignore_buffer_options())
    code.append(_step(RETURN, ALLOW))
    return b"".join(code)


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return an instruction; a jump skips ``if_true`` or ``if_false`` instructions."""
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def _for_call(number: int, steps: list[bytes]) -> list[bytes]:
    """Return steps that run for one call only; they must end with a return."""
    return [_step(JUMP_EQUAL, number, 0, len(steps)), *steps]


def _refuse_argument(index: int, test: int, operands: tuple[int, ...], error: int) -> list[bytes]:
    """Return steps that refuse a call if the low half of an argument passes the test, and allow it otherwise."""
    tests = [_step(test, operand, len(operands) - place, 0) for place, operand in enumerate(operands)]
    return [_load_argument(index), *tests, _step(RETURN, ALLOW), _step(RETURN, FAIL | error)]


def _allow_argument(index: int, operands: tuple[int, ...], error: int) -> list[bytes]:
    """Return steps that allow a call if the low half of an argument is one of the operands, and refuse it otherwise."""
    tests = [_step(JUMP_EQUAL, operand, len(operands) - place, 0) for place, operand in enumerate(operands)]
    return [_load_argument(index), *tests, _step(RETURN, FAIL | error), _step(RETURN, ALLOW)]


def _ignore_buffer_options() -> list[bytes]:
    """Return steps that let a change of the size of a socket's buffer succeed without effect."""
    ignore = _refuse_argument(2, JUMP_EQUAL, BUFFER_OPTIONS, 0)
    other = [_step(RETURN, ALLOW)]
    return [_load_argument(1), _step(JUMP_EQUAL, SOCKET_LEVEL, len(other), 0), *other, *ignore]


def _load_argument(index: int) -> bytes:
    return _step(LOAD, ARGUMENTS + 8 * index)
