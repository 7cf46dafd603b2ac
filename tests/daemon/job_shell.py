"""A shell that knows Ctrl-Z, `fg` and `bg` alone: runs one program in the terminal at its standard input.

It writes `stopped` or `ended` to the file descriptor of its first argument, and reads `fg` or `bg` from that of its
second. Unlike other shells it leaves the terminal's mode alone, so that a test sees what the program makes of it.
"""

import fcntl
import os
import signal
import sys
import termios


def main(reports: int, orders: int, program: list[str]) -> None:
    """Run *program* until it ends."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # it gives the terminal away, and takes it back
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(program[0], program)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpid())
        if not os.WIFSTOPPED(status):
            os.write(reports, b"ended\n")
            return
        os.write(reports, b"stopped\n")
        while (order := os.read(orders, 2)) == b"bg":
            os.kill(job, signal.SIGCONT)
        assert order == b"fg"
        os.tcsetpgrp(0, job)
        os.kill(job, signal.SIGCONT)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
