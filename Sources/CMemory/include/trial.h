// What a process that tries a plugin says of its own end.
#pragma once

// Behind `mh_crash_prepare`: the first signal of a crash writes `thread ROLE` on a line to `report`, of the thread that it is in,
// after `lent WHAT` for a fault in what was lent. A child that it forks says nothing. Thread: the control thread, once.
void mh_trial_report_crash(int report);

// What the calling thread is to a plugin: a digit that its caller gives a meaning; 0 at first. Thread: any, its own.
int mh_thread_role(void);
void mh_set_thread_role(int role);
