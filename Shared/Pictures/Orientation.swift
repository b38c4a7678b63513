/// How a camera was held, by the tag Orientation (0x0112) of EXIF 2.32, section 4.6.4: how the rows
/// of a file must be turned so that the picture is upright.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case mirrored
    case upsideDown
    case upsideDownMirrored
    /// Rows become columns.
    case transposed
    case turnedRight
    case transversed
    case turnedLeft

    /// Reads the tag from a block of EXIF, which is a TIFF file.
    ///
    /// - Returns: nil when the block is malformed, or has no such tag.
    init?(exif block: ArraySlice<UInt8>) {
        let bytes = Array(block)
        let isLittle = bytes.starts(with: [0x49, 0x49])
        guard isLittle || bytes.starts(with: [0x4D, 0x4D]) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - count else { return nil }
            let part = bytes[offset..<(offset + count)]
            return (isLittle ? Array(part.reversed()) : Array(part))
                .reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let directory = number(4, 4),
            let count = number(directory, 2)
        else { return nil }
        for entry in 0..<count {
            let offset = directory + 2 + entry * 12
            guard let tag = number(offset, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // One number of two bytes.
            guard number(offset + 2, 2) == 3, number(offset + 4, 4) == 1,
                let value = number(offset + 8, 2)
            else { return nil }
            self.init(rawValue: value)
            return
        }
        return nil
    }
}

extension Raster {
    /// The picture as the person with the camera saw it.
    func upright(_ orientation: Orientation) -> Raster {
        guard orientation != .upright else { return self }
        let isOnSide = orientation.rawValue > 4
        let size = isOnSide ? (width: height, height: width) : (width: width, height: height)
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let from =
                    switch orientation {
                    case .upright: (x, y)
                    case .mirrored: (width - 1 - x, y)
                    case .upsideDown: (width - 1 - x, height - 1 - y)
                    case .upsideDownMirrored: (x, height - 1 - y)
                    case .transposed: (y, x)
                    case .turnedRight: (y, height - 1 - x)
                    case .transversed: (width - 1 - y, height - 1 - x)
                    case .turnedLeft: (width - 1 - y, x)
                    }
                let at = (from.1 * width + from.0) * 4
                result.append(contentsOf: pixels[at..<(at + 4)])
            }
        }
        return Raster(trusted: size, result)
    }
}
