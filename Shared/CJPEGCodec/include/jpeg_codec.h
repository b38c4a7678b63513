/* JPEG by libjpeg, whose errors stay within C: libjpeg reports them by a call that must not return,
   so they end in a longjmp, which may not cross a frame of Swift. When something is wrong, every
   function here frees what it allocated and returns 0, with a sentence in the outcome. */
#ifndef JPEG_CODEC_H
#define JPEG_CODEC_H

#include <stddef.h>
#include <stdint.h>

/* The outcome of a call. */
typedef struct jpeg_outcome {
    uint32_t width;
    uint32_t height;
    size_t count;      /* bytes written */
    char message[200]; /* why it failed, ended by 0 */
} jpeg_outcome;

/* The size of a picture by its header. Nothing is decoded. */
int jpeg_read_size(const uint8_t *_Nonnull bytes, size_t count, jpeg_outcome *_Nonnull outcome);

/* Decodes to rows of red, green, blue and 255. The picture becomes `divisor` (1, 2, 4 or 8) times
   smaller, rounded up. Fails when it would need more than `room` bytes, when it has more than
   `most_scans` scans, or when any part of it is damaged or missing. */
int jpeg_decode(const uint8_t *_Nonnull bytes, size_t count, unsigned divisor, int most_scans,
                uint8_t *_Nonnull pixels, size_t room, jpeg_outcome *_Nonnull outcome);

/* Encodes rows of red, green, blue and a byte that is ignored, in a quality from 1 to 100.
   Fails when the file would have more than `room` bytes. */
int jpeg_encode(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height, int quality,
                uint8_t *_Nonnull file, size_t room, jpeg_outcome *_Nonnull outcome);

#endif
