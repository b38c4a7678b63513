/// A picture as rows of pixels.
public struct Raster: Hashable, Sendable {
    public let width: Int
    public let height: Int
    /// Red, green, blue and opacity, from 0 to 255 each, in sRGB: four bytes a pixel, row by row
    /// from the upper left corner. Colours are not multiplied by the opacity.
    public let pixels: [UInt8]

    /// - Returns: nil when there aren't four bytes for each pixel, or there are no pixels.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !isTooLarge, pixels.count / 4 == count,
            pixels.count.isMultiple(of: 4)
        else { return nil }
        self.init(trusted: (width, height), pixels)
    }

    init(trusted size: (width: Int, height: Int), _ pixels: [UInt8]) {
        (width, height) = size
        self.pixels = pixels
    }

    /// True when every pixel is fully opaque.
    public var isOpaque: Bool {
        stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    }

    /// The picture without colours: the luma of ITU-R BT.601, as in black-and-white television.
    public var grey: Raster {
        var grey = pixels
        for at in stride(from: 0, to: grey.count, by: 4) {
            let luma = 299 * Int(grey[at]) + 587 * Int(grey[at + 1]) + 114 * Int(grey[at + 2])
            let value = UInt8((luma + 500) / 1_000)
            (grey[at], grey[at + 1], grey[at + 2]) = (value, value, value)
        }
        return Raster(trusted: (width, height), grey)
    }

    /// The picture as a PNG file.
    ///
    /// - Throws: `PictureError.damaged` when libpng fails, e.g. for lack of memory.
    public func png() throws(PictureError) -> [UInt8] { try PNGFile.bytes(of: self) }

    /// The picture reduced so that its longer side has at most `edge` pixels. Fully transparent
    /// pixels lose their colour.
    public func reduced(to edge: Int) -> Raster {
        let longer = max(width, height)
        guard longer > edge else { return withoutUnseenColours }
        func length(_ side: Int) -> Int { max(1, (side * edge + longer / 2) / longer) }
        return averaged(width: length(width), height: length(height))
    }

    private var withoutUnseenColours: Raster {
        guard !isOpaque else { return self }
        var pixels = pixels
        for at in stride(from: 0, to: pixels.count, by: 4) where pixels[at + 3] == 0 {
            (pixels[at], pixels[at + 1], pixels[at + 2]) = (0, 0, 0)
        }
        return Raster(trusted: (width, height), pixels)
    }

    /// Averages pixels. Each new pixel is the mean of the area that it covers, weighted by the
    /// covered part of each old pixel and by its opacity. Only integers are used, so that every
    /// machine gets the same picture. Neither side may grow.
    private func averaged(width newWidth: Int, height newHeight: Int) -> Raster {
        // The sums of one row: 255 * 255 * width * height fits easily.
        var sums = [UInt64](repeating: 0, count: newWidth * 4)
        var across = sums
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight * 4)
        let whole = UInt64(width) * UInt64(height)
        pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<height {
                Self.addUp(pixels[(row * width * 4)...], width, into: &across, newWidth)
                // The row covers `newHeight` of the `height` parts of one new row, or of two.
                let begin = row * newHeight
                let end = begin + newHeight
                let border = (begin / height + 1) * height
                let first = UInt64(min(end, border) - begin)
                for at in sums.indices { sums[at] += across[at] * first }
                guard end >= border else { continue }
                Self.settle(&sums, whole, into: &result)
                let rest = UInt64(end - border)
                for at in sums.indices { sums[at] = across[at] * rest }
            }
        }
        return Raster(trusted: (newWidth, newHeight), result)
    }

    /// Adds up the pixels of a row for a shorter row.
    private static func addUp(
        _ row: Slice<UnsafeBufferPointer<UInt8>>, _ width: Int, into sums: inout [UInt64],
        _ newWidth: Int
    ) {
        for at in sums.indices { sums[at] = 0 }
        let start = row.startIndex
        for column in 0..<width {
            let at = start + column * 4
            let opacity = UInt64(row[at + 3])
            let parts = (
                UInt64(row[at]) * opacity, UInt64(row[at + 1]) * opacity,
                UInt64(row[at + 2]) * opacity, opacity
            )
            let begin = column * newWidth
            let end = begin + newWidth
            let target = begin / width
            let border = (target + 1) * width
            func add(_ target: Int, _ weight: Int) {
                guard weight > 0 else { return }
                let weight = UInt64(weight)
                sums[target * 4] += parts.0 * weight
                sums[target * 4 + 1] += parts.1 * weight
                sums[target * 4 + 2] += parts.2 * weight
                sums[target * 4 + 3] += parts.3 * weight
            }
            add(target, min(end, border) - begin)
            add(target + 1, end - border)
        }
    }

    /// Appends the pixels that result from the sums of a row.
    private static func settle(_ sums: inout [UInt64], _ whole: UInt64, into result: inout [UInt8])
    {
        for at in stride(from: 0, to: sums.count, by: 4) {
            let seen = sums[at + 3]
            let opacity = UInt8((seen + whole / 2) / whole)
            for part in at..<(at + 3) {
                result.append(opacity == 0 ? 0 : UInt8((sums[part] + seen / 2) / seen))
            }
            result.append(opacity)
        }
    }
}
