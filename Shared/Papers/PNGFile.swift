import CCairo
import CPNG

/// Pictures in PNG.
enum PNGFile {
    /// The file of what was drawn on a surface in RGB24.
    ///
    /// It is written by libpng itself: cairo lets it try five filters on each row, which takes most
    /// of the time and makes a drawing no smaller.
    static func bytes(
        of surface: OpaquePointer, width: Int, height: Int
    ) throws(PaperError) -> [UInt8] {
        let pixels = pixels(of: surface, width: width, height: height)
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = png_uint_32(PNG_FORMAT_RGB)
        image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        // What can't be compressed becomes a little longer.
        var size = png_alloc_size_t((3 * width + 1) * height / 255 * 256 + 4_096)
        let file = [UInt8](unsafeUninitializedCapacity: Int(size)) { file, count in
            let isWritten = png_image_write_to_memory(
                &image, file.baseAddress, &size, 0, pixels, 0, nil)
            count = isWritten == 0 ? 0 : Int(size)
        }
        guard pixels.count == 3 * width * height, !file.isEmpty else {
            throw PaperError(description: "the picture can't be written as PNG")
        }
        return Array(file[...])
    }

    /// The reds, greens and blues, row by row; nothing when the surface has none.
    private static func pixels(of surface: OpaquePointer, width: Int, height: Int) -> [UInt8] {
        let stride = Int(cairo_image_surface_get_stride(surface)) / 4
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        return data.withMemoryRebound(to: UInt32.self, capacity: stride * height) { words in
            [UInt8](unsafeUninitializedCapacity: 3 * width * height) { bytes, count in
                for row in 0..<height {
                    for column in 0..<width {
                        let pixel = words[row * stride + column]
                        bytes[count] = UInt8(truncatingIfNeeded: pixel >> 16)
                        bytes[count + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                        bytes[count + 2] = UInt8(truncatingIfNeeded: pixel)
                        count += 3
                    }
                }
            }
        }
    }
}
