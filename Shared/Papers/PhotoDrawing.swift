import CCairo
import Foundation
import Pictures

extension Picture {
    /// Draws the picture in the middle of a box, as large as it fits. In a PDF a JPEG stays as it
    /// is, so it takes no more bytes than its file.
    func draw(in box: Drawing.Box, on context: OpaquePointer) {
        guard let surface else { return }
        defer { cairo_surface_destroy(surface) }
        let scale = min(box.width / Double(width), box.height / Double(height))
        let size = (width: Double(width) * scale, height: Double(height) * scale)
        cairo_save(context)
        cairo_translate(
            context, box.x + (box.width - size.width) / 2, box.y + (box.height - size.height) / 2)
        cairo_scale(context, scale, scale)
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_paint(context)
        cairo_restore(context)
    }

    /// The picture as a cairo surface; nil when it can't be decoded, or there is no memory.
    private var surface: OpaquePointer? {
        let raster: Raster
        do { raster = try self.raster() } catch { return nil }
        guard let surface = raster.surface else { return nil }
        guard format == .jpeg else { return surface }
        // The surface may be needed until the document is finished, and frees them then.
        guard let copy = malloc(bytes.count) else { return surface }
        copy.copyMemory(from: bytes, byteCount: bytes.count)
        let status = cairo_surface_set_mime_data(
            surface, CAIRO_MIME_TYPE_JPEG, copy.assumingMemoryBound(to: UInt8.self),
            UInt(bytes.count), { free($0) }, copy)
        if status != CAIRO_STATUS_SUCCESS { free(copy) }
        return surface
    }
}
