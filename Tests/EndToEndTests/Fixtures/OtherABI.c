/* A plugin of a later time: only the beginning of its entry is understood today. */
#include <mediahost.h>

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {.magic = MH_ENTRY_MAGIC, .abi_major = 99, .abi_minor = 7, .built_with = "tomorrow's cc"};
    return &entry;
}
