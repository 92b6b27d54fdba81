"""org.freedesktop.Notifications for tests: shows nothing, says what it was asked to show, and does what a user would.

    /usr/bin/python3 notifications.py COMMANDS

COMMANDS is a fifo: `choose SUMMARY|ACTION` presses a button of the newest one with that first line, `dismiss SUMMARY` closes it.
"""

import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


def say(*words):
    print(*words, flush=True)


class Notifications(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, PATH)
        self.last = 0
        self.shown = {}

    @dbus.service.method(NAME, in_signature="", out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "sound"]

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, application, replaces, icon, summary, body, actions, hints, expire):
        if replaces == 0:
            self.last += 1
        number = replaces or self.last
        self.shown[int(number)] = str(summary)
        names = ",".join(str(action) for action in actions[::2])
        sound = hints.get("sound-name", "-")
        say("shown", "|".join([str(summary), str(body), names, str(sound), str(int(expire))]))
        return dbus.UInt32(number)

    @dbus.service.method(NAME, in_signature="u", out_signature="")
    def CloseNotification(self, number):
        say("closed", self.shown.pop(int(number), "?"))
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    def perform(self, line):
        command, _, rest = line.partition(" ")
        summary, _, action = rest.partition("|")
        number = max(number for number, text in self.shown.items() if text == summary)
        if command == "choose":
            self.ActionInvoked(dbus.UInt32(number), action)
        del self.shown[number]
        self.NotificationClosed(dbus.UInt32(number), 2 if command == "dismiss" else 3)


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    service = Notifications(bus)
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    commands = os.open(sys.argv[1], os.O_RDWR)
    pending = b""

    def read(*_):
        nonlocal pending
        pending += os.read(commands, 4096)
        *lines, pending = pending.split(b"\n")
        for line in lines:
            service.perform(line.decode())
            say("done", line.decode())
        return True

    GLib.io_add_watch(commands, GLib.IO_IN, read)
    say("ready", name.get_name())
    GLib.MainLoop().run()


main()
