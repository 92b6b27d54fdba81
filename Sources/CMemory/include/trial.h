// What a process that tries a plugin says of its own end.
#pragma once

// Follows the signals of a crash: the first one writes `thread ROLE` on a line to `report`, of the thread that it is in, after
// `lent WHAT` for a fault in what was lent; then whoever handled the signal before handles it. A child that it forks says
// nothing. Returns 0, or an errno. Thread: one, once.
int mh_trial_prepare(int report);

// What the calling thread is to a plugin: a digit that its caller gives a meaning; 0 at first. Thread: any, its own.
int mh_thread_role(void);
void mh_set_thread_role(int role);
