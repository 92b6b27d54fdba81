#define _GNU_SOURCE
#include "spare_memory.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Symbols, their names, relocations, those of the PLT, the symbols' versions.
enum { TABLES = 5 };

typedef struct {
    uintptr_t start[TABLES], size[TABLES];
} tables;

static const ElfW(Dyn) *dynamic_section(const struct dl_phdr_info *info) {
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return NULL;
}

// None where it writes to its code while it is loaded (DT_TEXTREL).
static tables find(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic) {
    tables found = {{0}, {0}};
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_TEXTREL: return (tables){{0}, {0}};
        case DT_FLAGS:
            if ((dynamic->d_un.d_val & DF_TEXTREL) != 0)
                return (tables){{0}, {0}};
            break;
        case DT_SYMTAB: found.start[0] = dynamic->d_un.d_ptr; break;
        case DT_STRTAB: found.start[1] = dynamic->d_un.d_ptr; break;
        case DT_STRSZ: found.size[1] = dynamic->d_un.d_val; break;
        case DT_RELA:
        case DT_REL: found.start[2] = dynamic->d_un.d_ptr; break;
        case DT_RELASZ:
        case DT_RELSZ: found.size[2] = dynamic->d_un.d_val; break;
        case DT_JMPREL: found.start[3] = dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: found.size[3] = dynamic->d_un.d_val; break;
        case DT_VERSYM: found.start[4] = dynamic->d_un.d_ptr; break;
        default: break;
        }
    }
    // How long the symbols are is written nowhere; linkers put their names behind them.
    if (found.start[1] > found.start[0])
        found.size[0] = found.start[1] - found.start[0];
    if (found.start[4] != 0)
        found.size[4] = found.size[0] / sizeof(ElfW(Sym)) * sizeof(ElfW(Half));
    // glibc has made the entries absolute, except on the architectures whose dynamic section is read-only.
    const uintptr_t base = found.start[0] < info->dlpi_addr ? info->dlpi_addr : 0;
    for (int i = 0; i < TABLES; i++)
        found.start[i] += base;
    return found;
}

// The whole pages of `start` to `end` that lie in one read-only segment; returns how many bytes were released.
static size_t release_pages(const struct dl_phdr_info *info, uintptr_t start, uintptr_t end) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t part_start = info->dlpi_addr + part->p_vaddr;
        const uintptr_t part_end = part_start + part->p_filesz;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0 || start < part_start || start >= part_end)
            continue;
        const uintptr_t first = (start + page - 1) & ~(page - 1);
        const uintptr_t last = (end < part_end ? end : part_end) & ~(page - 1);
        if (first < last && madvise((void *)first, last - first, MADV_DONTNEED) == 0)
            return last - first;
        return 0;
    }
    return 0;
}

static int release(struct dl_phdr_info *info, size_t info_size, void *context) {
    (void)info_size;
    const ElfW(Dyn) *dynamic = dynamic_section(info);
    if (dynamic == NULL)
        return 0;
    const tables found = find(info, dynamic);
    // Tables that all but touch are one stretch: the page on their border is released, too.
    uintptr_t start = 0, end = 0;
    for (;;) {
        int next = -1;
        for (int i = 0; i < TABLES; i++) {
            if (found.size[i] > 0 && found.start[i] >= end && (next < 0 || found.start[i] < found.start[next]))
                next = i;
        }
        if (next < 0)
            break;
        const uintptr_t most_between = 4096; // which versions are needed is a small table without a size
        if (end == 0 || found.start[next] > end + most_between) {
            if (end > 0)
                *(size_t *)context += release_pages(info, start, end);
            start = found.start[next];
        }
        end = found.start[next] + found.size[next];
    }
    if (end > 0)
        *(size_t *)context += release_pages(info, start, end);
    return 0;
}

size_t mh_loader_tables_release(void) {
    size_t bytes = 0;
    dl_iterate_phdr(release, &bytes);
    return bytes;
}
