#include "arena.h"

static void *allocate(void *data, size_t size)
{
    arena *a = data;
    /* protobuf-c recurses once for each nested message and allocates on each level: this is where a
       nesting that would overflow the stack is noticed. */
    if ((uintptr_t)__builtin_frame_address(0) < a->stack_limit) {
        a->failure = ARENA_DEPTH;
        return NULL;
    }
    return arena_alloc(a, size);
}

static void keep(void *data, void *block)
{
    (void)data;
    (void)block;
}

arena *arena_new(size_t first, size_t budget)
{
    arena *a;
    first = (first + 7) & ~(size_t)7;
    a = malloc(sizeof *a + first);
    if (a == NULL) return NULL;
    a->allocator.alloc = allocate;
    a->allocator.free = keep;
    a->allocator.allocator_data = a;
    a->free_begin = (uint8_t *)(a + 1);
    a->free_end = a->free_begin + first;
    a->chunks = NULL;
    a->next_chunk = first * 2 < 4096 ? 4096 : first * 2;
    a->budget = budget > first ? budget - first : 0;
    a->stack_limit = 0;
    a->failure = ARENA_OK;
    return a;
}

void arena_free(arena *a)
{
    arena_chunk *chunk = a->chunks;
    while (chunk != NULL) {
        arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(a);
}

void *arena_grow(arena *a, size_t size)
{
    const size_t largest_step = (size_t)1 << 20;
    size_t chunk_size;
    arena_chunk *chunk;

    /* Compared before rounding up, so that rounding can't overflow. */
    if (size > a->budget) {
        a->failure = ARENA_BUDGET;
        return NULL;
    }
    size = (size + 7) & ~(size_t)7;
    chunk_size = size > a->next_chunk ? size : a->next_chunk;
    if (chunk_size > a->budget) chunk_size = size;
    chunk = malloc(sizeof *chunk + chunk_size);
    if (chunk == NULL) {
        a->failure = ARENA_NO_MEMORY;
        return NULL;
    }
    a->budget = a->budget > chunk_size ? a->budget - chunk_size : 0;
    if (a->next_chunk < largest_step) a->next_chunk *= 2;
    chunk->next = a->chunks;
    a->chunks = chunk;
    a->free_begin = (uint8_t *)(chunk + 1) + size;
    a->free_end = (uint8_t *)(chunk + 1) + (chunk_size & ~(size_t)7);
    return chunk + 1;
}

ProtobufCMessage *arena_unpack(arena *a, const ProtobufCMessageDescriptor *descriptor,
                               const void *bytes, size_t count, size_t max_stack)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    a->stack_limit = here > max_stack ? here - max_stack : 0;
    return protobuf_c_message_unpack(descriptor, &a->allocator, count, bytes);
}
