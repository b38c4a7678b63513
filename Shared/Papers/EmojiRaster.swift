import CCairo
import CPango
import Pictures

extension Raster {
    /// The font with coloured emoji, and the text size in pixels that its bitmaps are made for.
    private static let emojiFont = (family: "Noto Color Emoji", size: 109.0)

    /// Draws an emoji in colour, without a margin.
    ///
    /// - Parameter text: the emoji; everything after its first character is ignored.
    /// - Returns: nil when no font has the character, when it shows nothing, or when it has more
    ///   than 64 bytes.
    package static func ofEmoji(_ text: String) -> Raster? {
        guard let emoji = text.first, emoji.utf8.count <= 64, !emoji.isWhitespace else {
            return nil
        }
        let side = 240
        guard
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, Int32(side), Int32(side))
        else { return nil }
        defer { cairo_surface_destroy(surface) }
        guard let context = cairo_create(surface) else { return nil }
        defer { cairo_destroy(context) }
        guard let layout = pango_cairo_create_layout(context) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let font = pango_font_description_new()
        pango_font_description_set_family(font, emojiFont.family)
        pango_font_description_set_absolute_size(font, emojiFont.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        let words = String(emoji)
        pango_layout_set_text(layout, words, Int32(words.utf8.count))
        guard pango_layout_get_unknown_glyphs_count(layout) == 0 else { return nil }
        cairo_move_to(context, 40, 40)
        pango_cairo_show_layout(context, layout)
        cairo_surface_flush(surface)
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
        return seen(on: surface, side: side)
    }

    /// The visible part of a surface, as the rectangle around it.
    private static func seen(on surface: OpaquePointer, side: Int) -> Raster? {
        guard let bytes = cairo_image_surface_get_data(surface) else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface)) / 4
        return bytes.withMemoryRebound(to: UInt32.self, capacity: stride * side) { pixels in
            var (left, right, top, bottom) = (side, -1, side, -1)
            for y in 0..<side {
                for x in 0..<side where pixels[y * stride + x] >> 24 > 0 {
                    (left, right) = (min(left, x), max(right, x))
                    (top, bottom) = (min(top, y), max(bottom, y))
                }
            }
            guard right >= left else { return nil }
            var result: [UInt8] = []
            for y in top...bottom {
                for x in left...right { result += straight(pixels[y * stride + x]) }
            }
            return Raster(width: right - left + 1, height: bottom - top + 1, pixels: result)
        }
    }

    /// Converts a pixel of cairo, whose colours are multiplied by its opacity, to ours.
    private static func straight(_ pixel: UInt32) -> [UInt8] {
        let opacity = pixel >> 24
        guard opacity > 0 else { return [0, 0, 0, 0] }
        func part(_ shift: UInt32) -> UInt8 {
            UInt8(min(255, ((pixel >> shift & 255) * 255 + opacity / 2) / opacity))
        }
        return [part(16), part(8), part(0), UInt8(opacity)]
    }

    /// The picture as a cairo surface; nil when there is no memory.
    var surface: OpaquePointer? {
        guard
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height)),
            cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            let bytes = cairo_image_surface_get_data(surface)
        else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface)) / 4
        bytes.withMemoryRebound(to: UInt32.self, capacity: stride * height) { target in
            for y in 0..<height {
                for x in 0..<width {
                    let at = (y * width + x) * 4
                    let opacity = UInt32(pixels[at + 3])
                    func part(_ offset: Int) -> UInt32 {
                        (UInt32(pixels[at + offset]) * opacity + 127) / 255
                    }
                    target[y * stride + x] =
                        opacity << 24 | part(0) << 16 | part(1) << 8 | part(2)
                }
            }
        }
        cairo_surface_mark_dirty(surface)
        return surface
    }
}
