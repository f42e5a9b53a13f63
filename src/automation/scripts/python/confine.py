"""Keeps an ordinary Python away from what is not a script's, on Linux: by Landlock (kernel 5.13 or later) and seccomp.

The process may read its interpreter, the system's libraries and the directories that it is told, and write to a
directory of its own. It cannot read the service's data or other processes, signal them, or connect to sockets in the
file system, such as that of the service's PostgreSQL; its children cannot either.
"""

import ctypes
import os
import sys
import sysconfig

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = (1 << bit for bit in range(4))
READ = EXECUTE | READ_FILE | READ_DIR
# Access to files, by the version of Landlock that introduced it.
HANDLED = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
# Sockets of other processes in the abstract namespace, and signals.
SCOPES = 0b11
CREATE, ADD_RULE, RESTRICT = 444, 445, 446
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
# Numbers of the architecture and of its system call `socket`.
MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
IO_URING_SETUP = 425
AF_UNIX = 1
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/nix/store"]


class Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class Rule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("access", ctypes.c_uint64), ("directory", ctypes.c_int32)]


class Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("hit", ctypes.c_uint8), ("miss", ctypes.c_uint8), ("value", ctypes.c_uint32)]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(Instruction))]


def confine(readable, writable):
    """Whether this process and its children are confined from now on; false without Landlock or seccomp."""
    machine = os.uname().machine if hasattr(os, "uname") else ""
    if not sys.platform.startswith("linux") or machine not in MACHINES:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE, None, 0, 1)
    if version < 1:
        return False
    handled = sum(bits for since, bits in HANDLED.items() if since <= version)
    attributes = Ruleset(handled, 0, SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(CREATE, ctypes.byref(attributes), size, 0)
    if ruleset < 0:
        return False
    interpreter = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(sys.executable), *sysconfig.get_paths().values()}
    for path in (*SYSTEM, *interpreter, *sys.path, *readable):
        allow(libc, ruleset, path, READ & handled)
    for path in ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", *writable):
        allow(libc, ruleset, path, handled)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    is_confined = libc.syscall(RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return is_confined and refuse_local_sockets(libc, *MACHINES[machine])


def refuse_local_sockets(libc, architecture, socket):
    """Refuses sockets of the family AF_UNIX, also by io_uring and by the calls of other architectures."""
    load, equal, at_least, result = 0x20, 0x15, 0x35, 0x06
    allowed, refused = 0x7FFF0000, 0x00050000 | 13
    # Offsets in the description of a call: 0 number, 4 architecture, 16 first argument.
    steps = [
        (load, 0, 0, 4),
        (equal, 0, 7, architecture),
        (load, 0, 0, 0),
        (at_least, 5, 0, 0x40000000),
        (equal, 4, 0, IO_URING_SETUP),
        (equal, 0, 2, socket),
        (load, 0, 0, 16),
        (equal, 1, 0, AF_UNIX),
        (result, 0, 0, allowed),
        (result, 0, 0, refused),
    ]
    instructions = (Instruction * len(steps))(*(Instruction(*step) for step in steps))
    program = Program(len(steps), instructions)
    return libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0) == 0


def allow(libc, ruleset, path, access):
    """Allows access to a file, or to everything below a directory; a path that does not exist is left out."""
    try:
        descriptor = os.open(path or ".", os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path or "."):
        access &= EXECUTE | WRITE_FILE | READ_FILE
    rule = Rule(access, descriptor)
    libc.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
    os.close(descriptor)
