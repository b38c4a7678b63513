"""Runs a program under the system calls that a unit of systemd allows, as systemd would.

    confined.py UNIT PROGRAM [ARGUMENT...]

systemd does this only as process 1. Which calls are in its groups, systemd-analyze says anywhere.
"""
import errno
import os
import subprocess
import sys

import seccomp


def calls(name):
    """The system calls that a name in a unit stands for: itself, or those of a group."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        ["systemd-analyze", "--no-pager", "syscall-filter", name], check=True,
        capture_output=True, text=True).stdout
    found = set()
    for line in listed.splitlines()[1:]:
        word = line.strip()
        if word and not word.startswith("#"):
            found |= calls(word)
    return found


def allowed(unit):
    """The calls that the lines of a unit leave, each line on top of those before it."""
    found = set()
    with open(unit, encoding="utf-8") as file:
        lines = [line.partition("=")[2].split() for line in file
                 if line.startswith("SystemCallFilter=")]
    for first, *others in lines:
        names = set().union(*map(calls, [first.removeprefix("~"), *others]))
        found = found - names if first.startswith("~") else found | names
    return found


def main():
    unit, *command = sys.argv[1:]
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # systemd starts the program itself before the rest applies.
    for name in allowed(unit) | {"execve"}:
        try:
            rules.add_rule(seccomp.ALLOW, name)
        except RuntimeError:
            pass  # this kind of processor has no such call
    rules.load()
    os.execv(command[0], command)


main()
