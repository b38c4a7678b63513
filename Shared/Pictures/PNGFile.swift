import CPNG

/// Pictures in PNG (ISO/IEC 15948), by libpng's simplified functions, which catch its errors.
public enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Red, green and blue in 8 bits each.
    private static let opaqueFormat = png_uint_32(PNG_FORMAT_FLAG_COLOR)

    /// Decodes a file into an upright picture whose longer side has at most `limits.edge` pixels.
    static func raster(of file: [UInt8], limits: PictureLimits) throws(PictureError) -> Raster {
        let essential = try essential(of: file)
        return try essential.withUnsafeBufferPointer { (bytes) throws(PictureError) -> Raster in
            try decoded(bytes, limits: limits)
        }
        .reduced(to: limits.edge).upright(orientation(of: file))
    }

    /// The file without the chunks that don't affect the pixels that are kept: texts, times,
    /// profiles.
    ///
    /// libpng takes memory for a chunk, and for the colour profile in one, by the length that the
    /// file announces, up to two gigabytes, and fills it with zeros before it looks for content.
    ///
    /// - Throws: `PictureError.damaged` if a chunk is longer than the rest of the file.
    private static func essential(of file: [UInt8]) throws(PictureError) -> [UInt8] {
        var chunks = PNGChunks(file)
        var essential = signature
        while !chunks.isAtEnd {
            let begin = chunks.place
            guard let (type, _) = chunks.next() else {
                throw .damaged(reason: "a part of it is longer than the file")
            }
            if isEssential(type) { essential += file[begin..<chunks.place] }
            // Some programs write something of their own after the end.
            if type == "IEND" { break }
        }
        return essential
    }

    /// The critical chunks, whose names begin with a capital letter, and those that say how colours
    /// are meant.
    private static func isEssential(_ type: String) -> Bool {
        ["tRNS", "gAMA", "cHRM", "sRGB"].contains(type) || type.first?.isUppercase == true
    }

    private static func decoded(
        _ file: UnsafeBufferPointer<UInt8>, limits: PictureLimits
    ) throws(PictureError) -> Raster {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
            throw .damaged(reason: sentence(image))
        }
        defer { png_image_free(&image) }
        // A side has at most a million pixels, by libpng.
        let (width, height) = (Int(image.width), Int(image.height))
        guard width * height <= limits.pixels else {
            throw .tooManyPixels(width: width, height: height, limit: limits.pixels)
        }
        image.format = opaqueFormat | png_uint_32(PNG_FORMAT_FLAG_ALPHA)
        // Otherwise a 16-bit picture without a gamma would be read as linear light.
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { pixels, count in
            let isRead = png_image_finish_read(&image, nil, pixels.baseAddress, 0, nil)
            count = isRead == 0 ? 0 : width * height * 4
        }
        guard !pixels.isEmpty else { throw .damaged(reason: sentence(image)) }
        return Raster(trusted: (width, height), pixels)
    }

    /// Encodes a picture, without an alpha channel when it is opaque.
    static func bytes(of raster: Raster) throws(PictureError) -> [UInt8] {
        guard raster.isOpaque else {
            return try bytes(
                of: raster.pixels, width: raster.width, height: raster.height, hasOpacity: true)
        }
        let pixels = [UInt8](unsafeUninitializedCapacity: raster.pixels.count / 4 * 3) {
            rgb, count in
            for at in stride(from: 0, to: raster.pixels.count, by: 4) {
                rgb[count] = raster.pixels[at]
                rgb[count + 1] = raster.pixels[at + 1]
                rgb[count + 2] = raster.pixels[at + 2]
                count += 3
            }
        }
        return try bytes(
            of: pixels, width: raster.width, height: raster.height, hasOpacity: false)
    }

    /// Encodes rows of pixels: red, green, blue and, optionally, opacity.
    private static func bytes(
        of pixels: [UInt8], width: Int, height: Int, hasOpacity: Bool
    ) throws(PictureError) -> [UInt8] {
        let channels = hasOpacity ? 4 : 3
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = opaqueFormat | (hasOpacity ? png_uint_32(PNG_FORMAT_FLAG_ALPHA) : 0)
        // Incompressible data becomes a little longer.
        var size = png_alloc_size_t((channels * width + 1) * height / 255 * 256 + 4_096)
        let file = [UInt8](unsafeUninitializedCapacity: Int(size)) { file, count in
            let isWritten = png_image_write_to_memory(
                &image, file.baseAddress, &size, 0, pixels, 0, nil)
            count = isWritten == 0 ? 0 : Int(size)
        }
        guard !file.isEmpty else { throw .damaged(reason: sentence(image)) }
        return Array(file[...])
    }

    /// The width and height of a file made by `bytes(of:)`; nil when it contains anything else.
    static func sizeOfPrepared(_ file: [UInt8]) -> (width: Int, height: Int)? {
        var chunks = PNGChunks(file)
        var size: (width: Int, height: Int)?
        var hasColours = false
        while let (type, content) = chunks.next() {
            switch type {
            case "IHDR":
                let header = Array(content)
                // Eight bits, with or without opacity, not interlaced.
                guard size == nil, header.count == 13, header[8] == 8,
                    header[9] == 2 || header[9] == 6, header[10...] == [0, 0, 0]
                else { return nil }
                func number(_ part: ArraySlice<UInt8>) -> Int {
                    part.reduce(0) { $0 << 8 | Int($1) }
                }
                size = (number(header[..<4]), number(header[4..<8]))
            // The colours are those of sRGB with perceptual intent.
            case "sRGB":
                guard !hasColours, Array(content) == [0] else { return nil }
                hasColours = true
            case "IDAT": break
            case "IEND": return content.isEmpty && chunks.isAtEnd ? size : nil
            default: return nil
            }
        }
        return nil
    }

    /// How the camera was held, by the chunk eXIf; upright when the file doesn't say.
    private static func orientation(of file: [UInt8]) -> Orientation {
        var chunks = PNGChunks(file)
        while let (type, content) = chunks.next(), type != "IDAT" {
            if type == "eXIf" { return Orientation(exif: content) ?? .upright }
        }
        return .upright
    }

    /// The library's message.
    private static func sentence(_ image: png_image) -> String {
        let text = withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "it can't be read" : text
    }
}

/// The chunks of a file, each with its type.
private struct PNGChunks {
    private let file: [UInt8]
    private(set) var place = PNGFile.signature.count

    init(_ file: [UInt8]) { self.file = file }

    var isAtEnd: Bool { place == file.count }

    /// The next chunk; nil at the end of the file, or where there is no whole chunk.
    mutating func next() -> (type: String, content: ArraySlice<UInt8>)? {
        guard place <= file.count - 12 else { return nil }
        let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard length <= file.count - place - 12 else { return nil }
        let begin = place + 8
        let type = String(decoding: file[(place + 4)..<begin], as: UTF8.self)
        place = begin + length + 4
        return (type, file[begin..<(begin + length)])
    }
}
