import CCairo
import CPango

/// A text broken into lines of a width, ready to be drawn.
final class TypeLayout {
    /// How the text looks. Lengths are in points, 1/72 inch.
    struct Style: Hashable {
        var size: Double
        var isBold = false
        var colour = Colour.black
        /// The distance from one baseline to the next.
        var leading: Double { size * 1.28 }
    }

    let style: Style
    private let layout: OpaquePointer

    /// The font of every paper, so that it looks the same everywhere; other fonts are used only for
    /// letters it lacks.
    static let family = "DejaVu Sans"

    /// Breaks a text into lines of at most `width` points: between words, or within a word longer
    /// than a line.
    init?(_ text: String, _ style: Style, width: Double, on context: OpaquePointer) {
        guard let layout = pango_cairo_create_layout(context) else { return nil }
        self.layout = layout
        self.style = style
        let font = pango_font_description_new()
        pango_font_description_set_family(font, Self.family)
        pango_font_description_set_weight(
            font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(max(1, width) * Double(PANGO_SCALE)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // A broken word gets no hyphen: it may be a number or an address.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    var lines: Int { Int(pango_layout_get_line_count(layout)) }

    /// The length of a line in points.
    func length(ofLine line: Int) -> Double {
        guard let line = pango_layout_get_line_readonly(layout, Int32(line)) else { return 0 }
        var extents = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }

    /// Draws a line whose upper left corner is at a point of the page.
    func draw(line: Int, x: Double, y: Double, on context: OpaquePointer) {
        guard let line = pango_layout_get_line_readonly(layout, Int32(line)) else { return }
        style.colour.use(on: context)
        cairo_move_to(context, x, y + style.size)
        pango_cairo_show_layout_line(context, line)
    }
}
