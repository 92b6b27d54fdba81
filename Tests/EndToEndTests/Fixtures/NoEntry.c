/* A shared library that is no plugin. */
int nothing_to_see(void);
__attribute__((visibility("default"))) int nothing_to_see(void) { return 0; }
