#define _GNU_SOURCE
#include "spare_memory.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    uintptr_t start, end;
} range;

static const ElfW(Dyn) *dynamic_section(const struct dl_phdr_info *info) {
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return NULL;
}

// From the first to the end of the last of its tables; empty where it writes to its code while it is loaded (DT_TEXTREL).
static range tables(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic) {
    uintptr_t address[3] = {0}; // symbols' names, relocations, those of the PLT
    uintptr_t size[3] = {0};
    uintptr_t symbols = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_TEXTREL: return (range){0, 0};
        case DT_FLAGS:
            if ((dynamic->d_un.d_val & DF_TEXTREL) != 0)
                return (range){0, 0};
            break;
        case DT_SYMTAB: symbols = dynamic->d_un.d_ptr; break;
        case DT_STRTAB: address[0] = dynamic->d_un.d_ptr; break;
        case DT_STRSZ: size[0] = dynamic->d_un.d_val; break;
        case DT_RELA:
        case DT_REL: address[1] = dynamic->d_un.d_ptr; break;
        case DT_RELASZ:
        case DT_RELSZ: size[1] = dynamic->d_un.d_val; break;
        case DT_JMPREL: address[2] = dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: size[2] = dynamic->d_un.d_val; break;
        default: break;
        }
    }
    // glibc has made the entries absolute, except on the architectures whose dynamic section is read-only.
    const uintptr_t base = symbols < info->dlpi_addr ? info->dlpi_addr : 0;
    range found = {symbols + base, symbols + base};
    for (int i = 0; i < 3; i++) {
        if (address[i] == 0)
            continue;
        if (address[i] + base < found.start)
            found.start = address[i] + base;
        if (address[i] + base + size[i] > found.end)
            found.end = address[i] + base + size[i];
    }
    return symbols == 0 ? (range){0, 0} : found;
}

static int release(struct dl_phdr_info *info, size_t info_size, void *context) {
    (void)info_size;
    const ElfW(Dyn) *dynamic = dynamic_section(info);
    if (dynamic == NULL)
        return 0;
    const range found = tables(info, dynamic);
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;
        const uintptr_t end = start + part->p_filesz;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0 || found.start < start || found.start >= end)
            continue;
        // Whole pages of nothing but tables: what linkers put before them is the header and the hashes.
        const uintptr_t first = (found.start + page - 1) & ~(page - 1);
        const uintptr_t last = (found.end < end ? found.end : end) & ~(page - 1);
        if (first < last && madvise((void *)first, last - first, MADV_DONTNEED) == 0)
            *(size_t *)context += last - first;
    }
    return 0;
}

size_t mh_loader_tables_release(void) {
    size_t bytes = 0;
    dl_iterate_phdr(release, &bytes);
    return bytes;
}
