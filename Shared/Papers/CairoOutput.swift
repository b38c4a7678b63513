import CCairo
import Pictures

/// Why a paper could not be made: the library that draws it failed, e.g. for lack of memory.
package struct PaperError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

/// Files written by cairo.
enum CairoOutput {
    /// Makes a PDF document.
    ///
    /// - Parameters:
    ///   - title: the title of the document.
    ///   - dated: its date in ISO 8601; empty for none.
    ///   - size: the size of its first page in points.
    ///   - draw: draws its pages on the surface with the context.
    static func document(
        title: String, dated: String, size: (width: Double, height: Double),
        draw: (_ surface: OpaquePointer, _ context: OpaquePointer) -> Void
    ) throws(PaperError) -> [UInt8] {
        let sink = ByteSink()
        let surface = cairo_pdf_surface_create_for_stream(
            write, Unmanaged.passUnretained(sink).toOpaque(), size.width, size.height)
        guard let surface, let context = cairo_create(surface) else {
            throw PaperError(description: "no page can be drawn")
        }
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        if !dated.isEmpty {
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, dated)
        }
        draw(surface, context)
        cairo_surface_finish(surface)
        try check(cairo_surface_status(surface))
        return withExtendedLifetime(sink) { sink.bytes }
    }

    /// Makes a PNG picture of this width and height in pixels, on white.
    static func picture(
        width: Int, height: Int, depth: PNGDepth = .colours,
        draw: (_ context: OpaquePointer) -> Void
    ) throws(PaperError) -> [UInt8] {
        let surface = cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, Int32(clamping: width), Int32(clamping: height))
        guard let surface, let context = cairo_create(surface) else {
            throw PaperError(description: "no picture can be drawn")
        }
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        try check(cairo_surface_status(surface))
        Colour.white.use(on: context)
        cairo_paint(context)
        draw(context)
        cairo_surface_flush(surface)
        try check(cairo_status(context))
        do {
            guard let data = cairo_image_surface_get_data(surface) else { throw noPNG }
            let stride = Int(cairo_image_surface_get_stride(surface)) / 4
            // Sound: the surface has rows of as many words, aligned as such.
            return try data.withMemoryRebound(to: UInt32.self, capacity: stride * height) {
                try PNGFile.bytes(
                    ofDrawing: $0, stride: stride, width: width, height: height, depth: depth)
            }
        } catch {
            throw noPNG
        }
    }

    private static let noPNG = PaperError(description: "the picture can't be written as PNG")

    private static func check(_ status: cairo_status_t) throws(PaperError) {
        guard status == CAIRO_STATUS_SUCCESS else {
            throw PaperError(description: String(cString: cairo_status_to_string(status)))
        }
    }
}

/// The bytes that cairo has written.
private final class ByteSink {
    var bytes: [UInt8] = []
}

private let write: cairo_write_func_t = { sink, bytes, count in
    guard let sink, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().bytes
        .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
}
