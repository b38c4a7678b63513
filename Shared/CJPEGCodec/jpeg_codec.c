#include "jpeg_codec.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

/* The error handler, with the place to continue at. */
typedef struct catcher {
    struct jpeg_error_mgr handler;
    jmp_buf out;
    jpeg_outcome *outcome;
} catcher;

/* Counts the scans of a progressive picture: a small file may have thousands of them. */
typedef struct scan_limit {
    struct jpeg_progress_mgr progress;
    int most_scans;
} scan_limit;

/* Writes into a buffer that doesn't grow. */
typedef struct fixed_room {
    struct jpeg_destination_mgr destination;
    uint8_t *file;
    size_t room;
} fixed_room;

static void leave(j_common_ptr codec)
{
    catcher *c = (catcher *)codec->err;
    char message[JMSG_LENGTH_MAX];
    c->handler.format_message(codec, message);
    snprintf(c->outcome->message, sizeof c->outcome->message, "%s", message);
    longjmp(c->out, 1);
}

static void leave_saying(j_common_ptr codec, const char *why)
{
    catcher *c = (catcher *)codec->err;
    snprintf(c->outcome->message, sizeof c->outcome->message, "%s", why);
    longjmp(c->out, 1);
}

/* libjpeg goes on after a warning, with grey where the picture should be. */
static void judge(j_common_ptr codec, int level)
{
    if (level >= 0) return;
    switch (codec->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_TOO_MUCH_DATA: leave(codec); break;
    default: break;
    }
}

static void keep_quiet(j_common_ptr codec) { (void)codec; }

static void prepare(catcher *c, jpeg_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    memset(c, 0, sizeof *c);
    jpeg_std_error(&c->handler);
    c->handler.error_exit = leave;
    c->handler.emit_message = judge;
    c->handler.output_message = keep_quiet;
    c->outcome = outcome;
}

int jpeg_read_size(const uint8_t *bytes, size_t count, jpeg_outcome *outcome)
{
    struct jpeg_decompress_struct codec;
    catcher c;
    memset(&codec, 0, sizeof codec);
    prepare(&c, outcome);
    codec.err = &c.handler;
    if (setjmp(c.out)) {
        jpeg_destroy_decompress(&codec);
        return 0;
    }
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, bytes, (unsigned long)count);
    jpeg_read_header(&codec, TRUE);
    outcome->width = codec.image_width;
    outcome->height = codec.image_height;
    jpeg_destroy_decompress(&codec);
    return 1;
}

static void count_scans(j_common_ptr codec)
{
    j_decompress_ptr decoder = (j_decompress_ptr)codec;
    const scan_limit *limit = (const scan_limit *)codec->progress;
    if (decoder->input_scan_number > limit->most_scans) {
        leave_saying(codec, "it has too many scans");
    }
}

/* Turns a row of inks into colours, in place. Adobe's programs store them inverted. */
static void mix_inks(uint8_t *row, uint32_t width, int is_inverted)
{
    for (uint32_t i = 0; i < width; i++, row += 4) {
        unsigned black = is_inverted ? row[3] : 255u - row[3];
        for (int ink = 0; ink < 3; ink++) {
            unsigned left = is_inverted ? row[ink] : 255u - row[ink];
            row[ink] = (uint8_t)((left * black + 127) / 255);
        }
        row[3] = 255;
    }
}

int jpeg_decode(const uint8_t *bytes, size_t count, unsigned divisor, int most_scans,
                uint8_t *pixels, size_t room, jpeg_outcome *outcome)
{
    struct jpeg_decompress_struct codec;
    scan_limit limit;
    catcher c;
    memset(&codec, 0, sizeof codec);
    memset(&limit, 0, sizeof limit);
    prepare(&c, outcome);
    codec.err = &c.handler;
    if (setjmp(c.out)) {
        jpeg_destroy_decompress(&codec);
        return 0;
    }
    jpeg_create_decompress(&codec);
    limit.progress.progress_monitor = count_scans;
    limit.most_scans = most_scans;
    codec.progress = &limit.progress;
    jpeg_mem_src(&codec, bytes, (unsigned long)count);
    jpeg_read_header(&codec, TRUE);
    int has_inks = codec.jpeg_color_space == JCS_CMYK || codec.jpeg_color_space == JCS_YCCK;
    codec.out_color_space = has_inks ? JCS_CMYK : JCS_EXT_RGBA;
    codec.scale_num = 1;
    codec.scale_denom = divisor;
    jpeg_calc_output_dimensions(&codec);
    size_t stride = (size_t)codec.output_width * 4;
    if (codec.output_height == 0 || stride > room / codec.output_height) {
        leave_saying((j_common_ptr)&codec, "it is larger than its header says");
    }
    jpeg_start_decompress(&codec);
    while (codec.output_scanline < codec.output_height) {
        JSAMPROW row = pixels + stride * codec.output_scanline;
        jpeg_read_scanlines(&codec, &row, 1);
        if (has_inks) mix_inks(row, codec.output_width, codec.saw_Adobe_marker);
    }
    jpeg_finish_decompress(&codec);
    outcome->width = codec.output_width;
    outcome->height = codec.output_height;
    outcome->count = stride * codec.output_height;
    jpeg_destroy_decompress(&codec);
    return 1;
}

static void begin_file(j_compress_ptr codec)
{
    fixed_room *target = (fixed_room *)codec->dest;
    target->destination.next_output_byte = target->file;
    target->destination.free_in_buffer = target->room;
}

static boolean lack_room(j_compress_ptr codec)
{
    leave_saying((j_common_ptr)codec, "it would be too large");
    return FALSE;
}

static void end_file(j_compress_ptr codec) { (void)codec; }

int jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t *file,
                size_t room, jpeg_outcome *outcome)
{
    struct jpeg_compress_struct codec;
    fixed_room target;
    catcher c;
    memset(&codec, 0, sizeof codec);
    memset(&target, 0, sizeof target);
    prepare(&c, outcome);
    codec.err = &c.handler;
    if (setjmp(c.out)) {
        jpeg_destroy_compress(&codec);
        return 0;
    }
    jpeg_create_compress(&codec);
    target.destination.init_destination = begin_file;
    target.destination.empty_output_buffer = lack_room;
    target.destination.term_destination = end_file;
    target.file = file;
    target.room = room;
    codec.dest = &target.destination;
    codec.image_width = width;
    codec.image_height = height;
    codec.input_components = 4;
    codec.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    codec.optimize_coding = TRUE;
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)width * 4 * codec.next_scanline);
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    outcome->width = width;
    outcome->height = height;
    outcome->count = room - target.destination.free_in_buffer;
    jpeg_destroy_compress(&codec);
    return 1;
}
