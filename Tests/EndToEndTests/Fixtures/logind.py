"""systemd-logind for tests: python-dbusmock's template, with what it leaves out, driven line by line.

    /usr/bin/python3 logind.py COMMANDS [PROPERTY=true|false | LockedSession=ID | DelayMaxUSec=N ...]

COMMANDS is a fifo. What the host takes and lets go is written to standard output, each on a line.
"""

import os
import sys

import dbus
import dbus.mainloop.glib
from dbusmock import mockobject
from gi.repository import GLib

NAME = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"
MANAGER = NAME + ".Manager"
SESSION = NAME + ".Session"


def say(*words):
    print(*words, flush=True)


class Inhibitors(list):
    """Tells what comes and goes."""

    def append(self, inhibitor):
        # As logind before 257: one question to polkit for all of it, and for more than one thing it is about the lid switch, which
        # nobody without a session may inhibit.
        if ":" in inhibitor[0]:
            raise dbus.exceptions.DBusException("Permission denied", name="org.freedesktop.DBus.Error.AccessDenied")
        super().append(inhibitor)
        say("taken", inhibitor[0], inhibitor[3])

    def remove(self, inhibitor):
        super().remove(inhibitor)
        say("dropped", inhibitor[0], inhibitor[3])


class Logind:
    def __init__(self, properties, locked, delay):
        bus = dbus.SystemBus()
        # Who sees the name and asks is answered when the loop runs, and all of it is there.
        name = dbus.service.BusName(NAME, bus, allow_replacement=True, replace_existing=True, do_not_queue=True)
        self.manager = mockobject.DBusMockObject(name, PATH, MANAGER, {}, "/dev/null", False)
        self.manager.AddTemplate("logind", dbus.Dictionary(properties, signature="sv"))
        mockobject.inhibitors = Inhibitors()
        self.manager.AddProperty(MANAGER, "InhibitDelayMaxUSec", dbus.UInt64(delay))
        refusal = 'raise dbus.exceptions.DBusException("PID does not belong to any session", name="%s.NoSessionForPID")'
        self.manager.AddMethod(MANAGER, "GetSessionByPID", "u", "o", refusal % NAME)
        for number in locked:
            self.begin(number, True)

    def perform(self, words):
        command, arguments = words[0], words[1:]
        flag = dbus.Boolean(arguments[-1:] == ["true"])
        if command == "sleep":
            self.tell("PreparingForSleep", "PrepareForSleep", flag)
        elif command == "shutdown":
            self.tell("PreparingForShutdown", "PrepareForShutdown", flag)
        elif command == "session":
            self.begin(arguments[0], flag)
        elif command == "greeter":
            self.begin(arguments[0], False)
            self.session(arguments[0]).UpdateProperties(SESSION, {"Class": "greeter"})
        elif command in ("Lock", "Unlock"):
            self.session(arguments[0]).EmitSignal(SESSION, command, "", [])
        elif command == "hint":
            self.session(arguments[0]).UpdateProperties(SESSION, {"LockedHint": flag})
        else:
            raise ValueError(command)
        say("done", *words)

    def begin(self, number, is_locked):
        path = self.manager.AddSession(number, "seat0", 1000, "user", True)
        self.session(number).UpdateProperties(SESSION, {"LockedHint": dbus.Boolean(is_locked)})
        self.manager.EmitSignal(MANAGER, "SessionNew", "so", [number, dbus.ObjectPath(path)])

    def tell(self, name, signal, flag):
        self.manager.Set(MANAGER, name, flag)
        self.manager.EmitSignal(MANAGER, signal, "b", [flag])

    @staticmethod
    def session(number):
        return mockobject.objects[PATH + "/session/" + number]


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    words = [word.split("=") for word in sys.argv[2:]]
    locked = [value for name, value in words if name == "LockedSession"]
    delay = [int(value) for name, value in words if name == "DelayMaxUSec"]
    flags = {name: value == "true" for name, value in words if name not in ("LockedSession", "DelayMaxUSec")}
    logind = Logind(flags, locked, (delay or [5000000])[0])
    # Open for writing, too: it does not end when a writer goes.
    commands = os.open(sys.argv[1], os.O_RDWR)

    def ready(_file, _condition):
        for line in os.read(commands, 4096).decode().splitlines():
            logind.perform(line.split())
        return True

    GLib.io_add_watch(commands, GLib.IO_IN, ready)
    say("ready")
    GLib.MainLoop().run()


main()
