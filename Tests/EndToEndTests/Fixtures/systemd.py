"""systemd's manager for tests: starts nothing, says which timer it was asked to stop and to start.

    /usr/bin/python3 systemd.py

As systemd does, it forgets a timer that was stopped a moment later: the first start after a stop is refused, and then the
removal is told to those who have subscribed.
"""

import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.systemd1"
MANAGER = NAME + ".Manager"


def say(*words):
    print(*words, flush=True)


def refusal(name, text):
    return dbus.exceptions.DBusException(text, name=NAME + "." + name)


class Manager(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, "/org/freedesktop/systemd1")
        self.there = False
        self.is_leaving = False
        self.is_heard = False

    @dbus.service.method(MANAGER)
    def Subscribe(self):
        self.is_heard = True

    @dbus.service.signal(MANAGER, signature="so")
    def UnitRemoved(self, name, path):
        pass

    def forget(self, name):
        self.is_leaving = False
        if self.is_heard:
            self.UnitRemoved(name, "/org/freedesktop/systemd1/unit/timer")

    @dbus.service.method(MANAGER, in_signature="ss", out_signature="o")
    def StopUnit(self, name, mode):
        if not self.there:
            raise refusal("NoSuchUnit", "Unit %s not loaded." % name)
        say("stopped", name)
        self.there, self.is_leaving = False, True
        return "/org/freedesktop/systemd1/job/1"

    @dbus.service.method(MANAGER, in_signature="ssa(sv)a(sa(sv))", out_signature="o")
    def StartTransientUnit(self, name, mode, properties, others):
        if self.there or self.is_leaving:
            if self.is_leaving:
                GLib.idle_add(self.forget, name)
            raise refusal("UnitExists", "Unit %s already exists." % name)
        values = {str(key): value for key, value in properties}
        # As systemd, which has a second sense for what is past: that never comes.
        for kind, text in values.get("TimersCalendar", []):
            if int(text.lstrip("@")) <= time.time():
                raise refusal("InvalidUnit", "%s=%s is past." % (kind, text))
        triggers = list(values.get("TimersCalendar", [])) + list(values.get("TimersMonotonic", []))
        calendar = ",".join("%s=%s" % (kind, text) for kind, text in triggers)
        clock = "clock" if values.get("OnClockChange") else "-"
        say("started", name, calendar, clock, "after" if values["RemainAfterElapse"] else "once")
        self.there = True
        return "/org/freedesktop/systemd1/job/2"


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
name = dbus.service.BusName(NAME, bus, do_not_queue=True)
manager = Manager(bus)
say("ready")
GLib.MainLoop().run()
