import CJPEGCodec

/// Pictures in JPEG (ITU-T T.81), by libjpeg.
enum JPEGFile {
    /// The maximum number of scans of a progressive picture. Programs make about ten; each takes
    /// only a few bytes of the file, but as much time as a whole picture.
    private static let mostScans: Int32 = 50
    /// The quality out of 100: the loss is invisible at arm's length.
    private static let quality: Int32 = 85

    /// Decodes a file into an upright picture whose longer side has at most `limits.edge` pixels.
    static func raster(of file: [UInt8], limits: PictureLimits) throws(PictureError) -> Raster {
        var outcome = jpeg_outcome()
        guard jpeg_read_size(file, file.count, &outcome) != 0 else {
            throw .damaged(reason: sentence(outcome))
        }
        // A side has at most 65,535 pixels, so this can't overflow.
        let (width, height) = (Int(outcome.width), Int(outcome.height))
        guard width * height <= limits.pixels else {
            throw .tooManyPixels(width: width, height: height, limit: limits.pixels)
        }
        // The decoder can cheaply shrink a large picture; the rest is averaged.
        let divisor = [8, 4, 2].first { max(width, height) / $0 >= 2 * limits.edge } ?? 1
        let room = ((width + divisor - 1) / divisor) * ((height + divisor - 1) / divisor) * 4
        var isDecoded = false
        let pixels = [UInt8](unsafeUninitializedCapacity: room) { pixels, count in
            guard let start = pixels.baseAddress else { return }
            isDecoded =
                jpeg_decode(
                    file, file.count, UInt32(divisor), mostScans, start, room, &outcome) != 0
            count = isDecoded ? outcome.count : 0
        }
        guard isDecoded else { throw .damaged(reason: sentence(outcome)) }
        let size = (width: Int(outcome.width), height: Int(outcome.height))
        return Raster(trusted: size, pixels).reduced(to: limits.edge)
            .upright(orientation(of: file))
    }

    /// Encodes an opaque picture.
    static func bytes(of raster: Raster) throws(PictureError) -> [UInt8] {
        // Even noise needs less than this.
        let room = raster.pixels.count + 65_536
        var outcome = jpeg_outcome()
        var isEncoded = false
        let file = [UInt8](unsafeUninitializedCapacity: room) { file, count in
            guard let start = file.baseAddress else { return }
            isEncoded =
                jpeg_encode(
                    raster.pixels, UInt32(raster.width), UInt32(raster.height), quality, start,
                    room, &outcome) != 0
            count = isEncoded ? outcome.count : 0
        }
        guard isEncoded else { throw .damaged(reason: sentence(outcome)) }
        return Array(file[...])
    }

    /// The width and height of a file made by `bytes(of:)`; nil when it contains anything else.
    static func sizeOfPrepared(_ file: [UInt8]) -> (width: Int, height: Int)? {
        var size: (width: Int, height: Int)?
        var segments = JPEGSegments(file)
        while let (marker, content) = segments.next() {
            switch marker {
            case 0xE0:
                // JFIF without a thumbnail.
                guard content.starts(with: "JFIF\0".utf8), content.count == 14 else { return nil }
            case 0xDB, 0xC4: break
            case 0xC0:
                let header = Array(content)
                guard size == nil, header.count == 15, header[0] == 8, header[5] == 3 else {
                    return nil
                }
                size = (
                    width: Int(header[3]) << 8 | Int(header[4]),
                    height: Int(header[1]) << 8 | Int(header[2])
                )
            case 0xDA: return Self.endsAfterOneScan(file[content.endIndex...]) ? size : nil
            default: return nil
            }
        }
        return nil
    }

    /// True when the end of the picture follows directly on the coded pixels and is the end of the
    /// file.
    private static func endsAfterOneScan(_ scan: ArraySlice<UInt8>) -> Bool {
        guard scan.count >= 2, scan.suffix(2) == [0xFF, 0xD9] else { return false }
        let coded = scan.dropLast(2)
        // A coded byte of 255 is followed by 0.
        return coded.indices.allSatisfy { index in
            coded[index] != 0xFF || (index + 1 < coded.endIndex && coded[index + 1] == 0)
        }
    }

    /// How the camera was held; upright when the file doesn't say.
    private static func orientation(of file: [UInt8]) -> Orientation {
        var segments = JPEGSegments(file)
        while let (marker, content) = segments.next(), marker != 0xDA {
            if marker == 0xE1, content.starts(with: "Exif\0\0".utf8) {
                return Orientation(exif: content.dropFirst(6)) ?? .upright
            }
        }
        return .upright
    }

    /// The library's message, without a full stop.
    private static func sentence(_ outcome: jpeg_outcome) -> String {
        let text = withUnsafeBytes(of: outcome.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "it can't be read" : text
    }
}

/// The segments before the pixels of a file, each with its marker.
private struct JPEGSegments {
    private let file: [UInt8]
    private var place = 2

    init(_ file: [UInt8]) { self.file = file }

    /// The next segment; nil at the end of the file, or where there is none.
    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        guard place < file.count, file[place] == 0xFF else { return nil }
        while place < file.count, file[place] == 0xFF { place += 1 }
        guard place + 2 < file.count else { return nil }
        let marker = file[place]
        let length = Int(file[place + 1]) << 8 | Int(file[place + 2])
        // Markers without content do not occur before the pixels.
        guard !(0xD0...0xD9 ~= marker), marker > 0x01, length >= 2,
            place + 1 + length <= file.count
        else { return nil }
        defer { place += 1 + length }
        return (marker, file[(place + 3)..<(place + 1 + length)])
    }
}
