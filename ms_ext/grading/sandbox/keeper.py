"""Who looks after a child? The keeper: it forks it, waits for it, and ends all that is left of it.

It stands between the nursery and the child, outside what the child can see. When the parent asks
or goes away (its end of the control socket closes), the child is killed.
"""

import json
import os
import select
import signal
import time

from . import kernel, namespaces, protections

ROUNDS = 200


def keep(setting, control, live):
    """Fork the child, which calls ``live(missing, force)``; report how it ended."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _where_possible(kernel.show_memory)  # who enters namespaces writes about itself
    _where_possible(kernel.control, kernel.SET_SUBREAPER, 1)  # orphans below here are ours to end
    missing, force = _enter(setting)
    child = os.fork()
    if child == 0:
        _where_possible(kernel.control, kernel.SET_DEATH_SIGNAL, signal.SIGKILL)
        live(missing, force)
        os._exit(0)
    _where_possible(kernel.hide_memory)
    for each in setting.conversation:
        os.close(each)
    _wait(child, control)
    _, status, _ = os.wait4(child, 0)
    _end_the_rest(child)
    _where_possible(os.write, control, json.dumps(_report(status)).encode())


def _where_possible(act, *arguments):
    try:
        act(*arguments)
    except OSError:  # not on this system, or nobody is there any more
        return


def _report(status):
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    return {"code": os.waitstatus_to_exitcode(status), "cpu": cpu, "memory": memory}


def _enter(setting):
    """The keeper's protections, and before them what gives the right to make them."""
    if any(row.name not in setting.without for row in protections.of(protections.KEEPER)):
        _where_possible(namespaces.become_user)  # each row tells what is refused without it
    return protections.apply(protections.KEEPER, setting)


def _wait(child, control):
    """Until the child ends; kill it when the parent asks or is gone."""
    asked = select.poll()
    asked.register(control, select.POLLIN | select.POLLHUP)
    try:
        ended = os.pidfd_open(child)
        asked.register(ended, select.POLLIN)
        patience = None
    except (AttributeError, OSError):  # an old kernel: look again and again
        ended, patience = None, 20
    while True:
        ready = [where for where, _ in asked.poll(patience)]
        if control in ready:
            return os.kill(child, signal.SIGKILL)
        if ended in ready or (ended is None and _has_ended(child)):
            return None


def _has_ended(child):
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end_the_rest(child):
    """Kill what the child left running: its group, and whatever became the keeper's own."""
    _where_possible(os.killpg, child, signal.SIGKILL)
    for _ in range(ROUNDS):
        for process in _own_children():
            os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return
        time.sleep(0.005)


def _own_children():
    own = os.getpid()
    try:
        with open(f"/proc/{own}/task/{own}/children") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []
