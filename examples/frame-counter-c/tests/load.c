/* Loads the library as a host does, and checks what it says about itself. */
#include <mediahost.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int holds, const char *what) {
    printf("%s: %s\n", holds ? "ok" : "FAILED", what);
    failures += !holds;
}

int main(int argc, char **argv) {
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "cannot load: %s\n", argc == 2 ? dlerror() : "give one library");
        return 1;
    }
    const mh_entry_1 *(*find_entry)(void) = NULL;
    *(void **)&find_entry = dlsym(library, "mh_plugin_entry_1"); /* POSIX's way around ISO C */
    const mh_entry_1 *entry = find_entry == NULL ? NULL : find_entry();
    check(entry != NULL && entry->magic == MH_ENTRY_MAGIC && entry->abi_major == MH_ABI_MAJOR, "an entry of this ABI");
    if (entry == NULL)
        return 1;
    check(entry->init((mh_str_1){argv[1], strlen(argv[1])}) == MH_OK, "init");
    const mh_factory_1 *factory = entry->get_factory((mh_str_1){MH_FACTORY_PLUGIN, strlen(MH_FACTORY_PLUGIN)});
    check(factory != NULL && factory->count() == 1, "a factory of one plugin");
    const mh_descriptor_1 *descriptor = factory == NULL ? NULL : factory->descriptor(0);
    check(descriptor != NULL && strcmp(descriptor->id, "org.example.frame-counter") == 0, "its id");
    check(factory != NULL && factory->descriptor(1) == NULL, "no second one");
    entry->deinit();
    return failures != 0;
}
