/* A bump arena with a memory budget and a stack guard. protobuf-c unpacks into it, and the C trees
   of outgoing messages are built in it. Freeing the arena frees all at once, so nothing can leak on
   the way out of a failed unpacking, and protobuf-c's own frees do nothing. */
#ifndef ARENA_H
#define ARENA_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Why an allocation failed. */
enum { ARENA_OK = 0, ARENA_BUDGET = 1, ARENA_DEPTH = 2, ARENA_NO_MEMORY = 3 };

typedef struct arena_chunk {
    struct arena_chunk *_Nullable next;
} arena_chunk;

typedef struct arena {
    ProtobufCAllocator allocator;
    uint8_t *_Nonnull free_begin;
    uint8_t *_Nonnull free_end;
    arena_chunk *_Nullable chunks;
    size_t next_chunk;
    size_t budget;         /* bytes that may still be taken from malloc */
    uintptr_t stack_limit; /* lowest stack address that unpacking may reach */
    int failure;
} arena;

/* An arena with `first` bytes at once and `budget` bytes in all; NULL when there is no memory. */
arena *_Nullable arena_new(size_t first, size_t budget);

void arena_free(arena *_Nonnull a);

/* The slow path of arena_alloc: takes another chunk. */
void *_Nullable arena_grow(arena *_Nonnull a, size_t size);

/* `size` bytes aligned to 8, not cleared; NULL, and the reason in `failure`, if there are none. */
static inline void *_Nullable arena_alloc(arena *_Nonnull a, size_t size)
{
    /* The free bytes are a multiple of 8, so a size that fits does not overflow when rounded up. */
    if (size <= (size_t)(a->free_end - a->free_begin)) {
        void *block = a->free_begin;
        a->free_begin += (size + 7) & ~(size_t)7;
        return block;
    }
    return arena_grow(a, size);
}

/* The same for messages to send: without memory the process ends, as with Swift's arrays. */
static inline void *_Nonnull arena_take(arena *_Nonnull a, size_t size)
{
    void *block = arena_alloc(a, size);
    if (block == NULL) abort();
    return block;
}

/* Unpacks with every allocation in the arena and at most `max_stack` bytes of stack. NULL when the
   bytes are malformed (then `failure` is ARENA_OK) or a limit is reached. */
ProtobufCMessage *_Nullable arena_unpack(arena *_Nonnull a,
                                         const ProtobufCMessageDescriptor *_Nonnull descriptor,
                                         const void *_Nullable bytes, size_t count,
                                         size_t max_stack);

#endif
