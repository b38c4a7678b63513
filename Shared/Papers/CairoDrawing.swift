import CCairo
import CPango
import Pictures

extension Drawing {
    /// The number of points on paper in a millimetre.
    private static let points = 72 / 25.4

    /// The drawing as a PDF document of one page in its own size.
    ///
    /// - Parameter dated: the date of the document in ISO 8601; empty for none.
    package func pdf(dated: String = "") throws(PaperError) -> [UInt8] {
        try Self.pdf(of: [self], title: title, dated: dated)
    }

    /// A PDF document of drawings, each a page in its own size.
    ///
    /// - Parameters:
    ///   - pages: the drawings.
    ///   - title: the title of the document.
    ///   - dated: its date in ISO 8601; empty for none.
    package static func pdf(
        of pages: [Drawing], title: String, dated: String = ""
    ) throws(PaperError) -> [UInt8] {
        let size = pages.first.map { ($0.width * points, $0.height * points) } ?? (points, points)
        return try CairoOutput.document(title: title, dated: dated, size: size) { _, context in
            for page in pages { page.drawPage(on: context) }
        }
    }

    /// The drawing as a picture in PNG on white.
    ///
    /// - Parameters:
    ///   - resolution: pixels per millimetre; reduced when a side would have more than 10,000
    ///     pixels.
    ///   - depth: how many colours it has.
    package func png(
        resolution: Double = 6, depth: PNGDepth = .colours
    ) throws(PaperError) -> [UInt8] {
        let resolution = min(resolution, 10_000 / max(width, height, 1))
        let size = (
            width: max(1, Int((width * resolution).rounded())),
            height: max(1, Int((height * resolution).rounded()))
        )
        return try CairoOutput.picture(
            width: size.width, height: size.height, depth: depth
        ) { context in
            cairo_scale(context, resolution, resolution)
            draw(on: context)
        }
    }

    /// Draws it as a page of its own, and ends the page.
    func drawPage(on context: OpaquePointer) {
        cairo_pdf_surface_set_size(
            cairo_get_target(context), width * Self.points, height * Self.points)
        cairo_save(context)
        cairo_scale(context, Self.points, Self.points)
        draw(on: context)
        cairo_restore(context)
        cairo_show_page(context)
    }

    private func draw(on context: OpaquePointer) {
        let type = DrawnText(context)
        for part in parts {
            cairo_save(context)
            if let clip = part.clip {
                cairo_rectangle(context, clip.x, clip.y, clip.width, clip.height)
                cairo_clip(context)
            }
            for mark in part.marks {
                switch mark.shape {
                case .path(let path, let pen): path.draw(with: pen, on: context)
                case .text(let text): type.draw(text)
                case .image(let image): image.draw(on: context)
                }
            }
            cairo_restore(context)
        }
    }
}

extension Drawing.Path {
    fileprivate func draw(with pen: Drawing.Pen, on context: OpaquePointer) {
        cairo_new_path(context)
        for step in steps {
            switch step {
            case .move(let to): cairo_move_to(context, to.x, to.y)
            case .line(let to): cairo_line_to(context, to.x, to.y)
            case .curve(let first, let second, let to):
                cairo_curve_to(context, first.x, first.y, second.x, second.y, to.x, to.y)
            case .close: cairo_close_path(context)
            }
        }
        if let fill = pen.fill {
            cairo_set_source_rgba(context, fill.red, fill.green, fill.blue, pen.opacity)
            cairo_fill_preserve(context)
        }
        if let stroke = pen.stroke {
            stroke.use(on: context)
            cairo_set_line_width(context, pen.width)
            cairo_set_dash(context, pen.dash, Int32(pen.dash.count), 0)
            cairo_stroke(context)
        }
        cairo_new_path(context)
    }
}

extension Drawing.Image {
    fileprivate func draw(on context: OpaquePointer) {
        guard let surface = raster.surface else { return }
        defer { cairo_surface_destroy(surface) }
        let frame = frame
        cairo_save(context)
        cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
        cairo_clip(context)
        cairo_translate(context, frame.x, frame.y)
        cairo_scale(
            context, frame.width / Double(raster.width), frame.height / Double(raster.height))
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BEST)
        // Otherwise the edge would be blended with what is outside.
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_paint(context)
        cairo_restore(context)
    }
}

/// Draws lines of text. A text that occurs again is laid out only once, because that takes three
/// times as long as drawing it.
private final class DrawnText {
    private struct Line: Hashable {
        let words: String
        let isBold: Bool
    }

    private let context: OpaquePointer
    private var layouts: [Line: OpaquePointer] = [:]
    private let fonts: (normal: OpaquePointer?, bold: OpaquePointer?)
    /// The maximum number of layouts that are kept at a time.
    private static let mostLayouts = 1_000
    /// The size at which texts are laid out before they are scaled, so that letters are spaced the
    /// same on a screen and on paper.
    private static let size = 100.0

    init(_ context: OpaquePointer) {
        self.context = context
        func font(_ weight: PangoWeight) -> OpaquePointer? {
            let font = pango_font_description_new()
            pango_font_description_set_family(font, TypeLayout.family)
            pango_font_description_set_weight(font, weight)
            pango_font_description_set_absolute_size(font, Self.size * Double(PANGO_SCALE))
            return font
        }
        fonts = (font(PANGO_WEIGHT_NORMAL), font(PANGO_WEIGHT_BOLD))
    }

    deinit {
        forgetLayouts()
        pango_font_description_free(fonts.normal)
        pango_font_description_free(fonts.bold)
    }

    private func forgetLayouts() {
        for layout in layouts.values { g_object_unref(UnsafeMutableRawPointer(layout)) }
        layouts = [:]
    }

    private func layout(of line: Line) -> OpaquePointer? {
        if let layout = layouts[line] { return layout }
        if layouts.count == Self.mostLayouts { forgetLayouts() }
        guard let layout = pango_cairo_create_layout(context) else { return nil }
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_auto_dir(layout, 0)
        pango_layout_set_font_description(layout, line.isBold ? fonts.bold : fonts.normal)
        pango_layout_set_text(layout, line.words, Int32(line.words.utf8.count))
        layouts[line] = layout
        return layout
    }

    func draw(_ text: Drawing.Text) {
        guard !text.words.isEmpty,
            let layout = layout(of: Line(words: text.words, isBold: text.isBold)),
            let line = pango_layout_get_line_readonly(layout, 0)
        else { return }
        var back = 0.0
        if text.anchor != .start {
            var extents = PangoRectangle()
            pango_layout_line_get_extents(line, nil, &extents)
            let length = Double(extents.width) / Double(PANGO_SCALE)
            back = text.anchor == .end ? length : length / 2
        }
        cairo_save(context)
        cairo_translate(context, text.place.x, text.place.y)
        if text.turn != 0 { cairo_rotate(context, text.turn * .pi / 180) }
        let scale = text.size / Self.size
        cairo_scale(context, scale, scale)
        text.colour.use(on: context)
        cairo_move_to(context, -back, 0)
        pango_cairo_show_layout_line(context, line)
        cairo_restore(context)
    }
}
