import CCairo
import CPango

/// Measures lines of text exactly as they are drawn, with the installed fonts.
/// `Drawing.Text.length` is approximate and cheaper.
package final class TextRuler {
    private let layout: OpaquePointer?
    private let context: OpaquePointer?
    /// The size at which texts are measured, the same as when they are laid out to be drawn.
    private static let size = 100.0

    package init() {
        context = pango_font_map_create_context(pango_cairo_font_map_get_default())
        layout = context.flatMap { pango_layout_new($0) }
        if let layout {
            pango_layout_set_single_paragraph_mode(layout, 1)
            pango_layout_set_auto_dir(layout, 0)
        }
    }

    deinit {
        if let layout { g_object_unref(UnsafeMutableRawPointer(layout)) }
        if let context { g_object_unref(UnsafeMutableRawPointer(context)) }
    }

    /// The length of a line in the unit of `size`, the font size.
    package func length(of words: String, size: Double, isBold: Bool) -> Double {
        guard let layout else {
            return Drawing.Text(words, at: .init(0, 0), size: size, isBold: isBold).length
        }
        let font = pango_font_description_new()
        pango_font_description_set_family(font, TypeLayout.family)
        pango_font_description_set_weight(
            font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, Self.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_text(layout, words, Int32(words.utf8.count))
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE) / Self.size * size
    }
}
