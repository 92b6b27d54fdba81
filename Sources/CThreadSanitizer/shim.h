// What the thread sanitizer's runtime offers to say "these two are ordered". Only builds with SANITIZE=thread call it.
#pragma once
void __tsan_acquire(void *address);
void __tsan_release(void *address);
