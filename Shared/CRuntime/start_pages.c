/* For dl_iterate_phdr(3), which Swift's import of the C library does not show. */
#define _GNU_SOURCE
#include "start_pages.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* True for a library whose code the loader had to change: its pages differ from those of the file,
   and can't be read again. */
static bool is_patched(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + segment->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL ||
                (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
                return true;
    }
    return false;
}

static int give_back(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (is_patched(object))
        return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        uintptr_t address = object->dlpi_addr + segment->p_vaddr;
        uintptr_t begin = (address + page - 1) / page * page;
        uintptr_t end = (address + segment->p_filesz) / page * page;
        /* If that is refused, the pages stay. */
        if (begin < end)
            (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void start_pages_give_back(void)
{
    dl_iterate_phdr(give_back, NULL);
}
