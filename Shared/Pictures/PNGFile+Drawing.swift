import CZlib

/// How many colours the file of a drawing has.
public enum PNGDepth: Int, Sendable, CaseIterable {
    /// Black and white, one bit a pixel.
    case blackAndWhite = 1
    /// 256 greys.
    case greys = 8
    /// Red, green and blue of eight bits each.
    case colours = 24

    /// The bytes of a row.
    fileprivate func rowSize(_ width: Int) -> Int { (width * rawValue + 7) / 8 }

    /// The bits of a sample and the type of colour, for IHDR.
    fileprivate var header: [UInt8] {
        switch self {
        case .blackAndWhite: [1, 0]
        case .greys: [8, 0]
        case .colours: [8, 2]
        }
    }
}

extension PNGFile {
    /// The file of an opaque drawing.
    ///
    /// It is written row by row with zlib itself, because most rows of a drawing equal the row
    /// above. libpng wants a copy of all pixels and a buffer for the longest file, and either tries
    /// five filters on each row or none.
    ///
    /// - Parameters:
    ///   - words: the pixels, row by row; red, green and blue are the lowest 24 bits of each.
    ///   - stride: how many words there are from one row to the next.
    ///   - depth: how many colours the file has. A grey is the luma of ITU-R BT.601; in black and
    ///     white, what is darker than half is black.
    /// - Throws: `PictureError.damaged` when there are no pixels, or zlib has no memory.
    public static func bytes(
        ofDrawing words: UnsafePointer<UInt32>, stride: Int, width: Int, height: Int,
        depth: PNGDepth = .colours
    ) throws(PictureError) -> [UInt8] {
        guard width > 0, height > 0, stride >= width else {
            throw .damaged(reason: "it lacks pixels")
        }
        let rows = (0..<height).lazy.map { words + $0 * stride }
        let pixels =
            depth == .colours
            ? deflated(words, stride: stride, width: width, height: height)
            : deflated(rows, width: width, depth)
        guard let pixels else { throw .damaged(reason: "it can't be compressed") }
        var file = signature
        // Deflated, filtered row by row, not interlaced.
        add("IHDR", big(width) + big(height) + depth.header + [0, 0, 0], to: &file)
        add("IDAT", pixels, to: &file)
        add("IEND", [], to: &file)
        return file
    }

    private static func add(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        file += big(data.count)
        let begin = file.count
        file += Array(type.utf8) + data
        let sum = file[begin...].withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
        file += big(Int(sum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The rows one after another, each as the difference to the one above (filter 2).
    private static func deflated(
        _ words: UnsafePointer<UInt32>, stride: Int, width: Int, height: Int
    ) -> [UInt8]? {
        guard let deflation = Deflation() else { return nil }
        var filtered = [UInt8](repeating: 2, count: 3 * width + 1)
        let none = [UInt32](repeating: 0, count: width)
        for row in 0..<height {
            let isDone = none.withUnsafeBufferPointer { none in
                filtered.withUnsafeMutableBufferPointer { filtered in
                    guard let none = none.baseAddress, let bytes = filtered.baseAddress else {
                        return false
                    }
                    let above = row == 0 ? none : words + (row - 1) * stride
                    subtract(above, from: words + row * stride, count: width, into: bytes + 1)
                    return deflation.add(bytes, filtered.count, isLast: row == height - 1)
                }
            }
            guard isDone else { return nil }
        }
        return deflation.bytes
    }

    /// The rows in greys or in black and white, one after another as they are (filter 0).
    private static func deflated(
        _ rows: some Sequence<UnsafePointer<UInt32>>, width: Int, _ depth: PNGDepth
    ) -> [UInt8]? {
        guard let deflation = Deflation() else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 + depth.rowSize(width))
        for row in rows {
            for at in 1..<bytes.count { bytes[at] = 0 }
            for column in 0..<width {
                let grey = grey(row[column])
                if depth == .greys {
                    bytes[1 + column] = grey
                } else if grey >= 128 {
                    bytes[1 + (column >> 3)] |= 0x80 >> UInt8(column & 7)
                }
            }
            let isDone = bytes.withUnsafeMutableBufferPointer { bytes in
                bytes.baseAddress.map { deflation.add($0, bytes.count, isLast: false) } ?? false
            }
            guard isDone else { return nil }
        }
        guard deflation.end() else { return nil }
        return deflation.bytes
    }

    /// The luma of a pixel: 0.299, 0.587 and 0.114 of red, green and blue (ITU-R BT.601).
    private static func grey(_ pixel: UInt32) -> UInt8 {
        let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
        return UInt8((299 * red + 587 * green + 114 * blue + 500) / 1000)
    }

    /// Writes red, green and blue of pixels, less those of others.
    private static func subtract(
        _ others: UnsafePointer<UInt32>, from pixels: UnsafePointer<UInt32>, count: Int,
        into bytes: UnsafeMutablePointer<UInt8>
    ) {
        // Most words equal those above.
        typealias Block = SIMD8<UInt32>
        var column = 0
        while column + Block.scalarCount <= count {
            let block = UnsafeRawPointer(pixels + column).loadUnaligned(as: Block.self)
            let above = UnsafeRawPointer(others + column).loadUnaligned(as: Block.self)
            let next = column + Block.scalarCount
            if block == above {
                (bytes + 3 * column).update(repeating: 0, count: 3 * Block.scalarCount)
            } else {
                for place in column..<next { subtract(others, from: pixels, at: place, bytes) }
            }
            column = next
        }
        for place in column..<count { subtract(others, from: pixels, at: place, bytes) }
    }

    private static func subtract(
        _ others: UnsafePointer<UInt32>, from pixels: UnsafePointer<UInt32>, at column: Int,
        _ bytes: UnsafeMutablePointer<UInt8>
    ) {
        let (pixel, other) = (pixels[column], others[column])
        func difference(_ shift: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: pixel >> shift) &- UInt8(truncatingIfNeeded: other >> shift)
        }
        bytes[3 * column] = difference(16)
        bytes[3 * column + 1] = difference(8)
        bytes[3 * column + 2] = difference(0)
    }
}

/// Compresses bytes that come piece by piece with zlib. It is a class because zlib's stream may not
/// be moved.
private final class Deflation {
    private var stream = z_stream()
    private var piece = [UInt8](repeating: 0, count: 1 << 16)
    private(set) var bytes: [UInt8] = []

    /// The fastest level: a higher one makes a drawing hardly smaller.
    private static let level: Int32 = 1

    init?() {
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit_(&stream, Self.level, ZLIB_VERSION, size) == Z_OK else { return nil }
    }

    deinit { deflateEnd(&stream) }

    /// Finishes the compressed bytes.
    ///
    /// - Returns: false when it failed.
    func end() -> Bool {
        var none: UInt8 = 0
        return add(&none, 0, isLast: true)
    }

    /// - Returns: false when it failed.
    func add(
        _ start: UnsafeMutablePointer<UInt8>, _ count: Int, isLast: Bool
    ) -> Bool {
        stream.next_in = start
        stream.avail_in = UInt32(count)
        var code = Z_OK
        repeat {
            piece.withUnsafeMutableBufferPointer { piece in
                stream.next_out = piece.baseAddress
                stream.avail_out = UInt32(piece.count)
                code = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                bytes.append(contentsOf: piece.dropLast(Int(stream.avail_out)))
            }
        } while code == Z_OK && stream.avail_out == 0
        // When nothing is left to do, zlib reports that it wants a larger buffer.
        return isLast ? code == Z_STREAM_END : code == Z_OK || code == Z_BUF_ERROR
    }
}
