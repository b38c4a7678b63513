import Pictures
import Testing

/// Drawings as PNG files.
struct PNGDrawingTests {
    /// White, black, red, green and blue, a light and a dark grey. The second row has them
    /// reversed.
    private static let colours: [UInt32] = [
        0xFFFFFF, 0x000000, 0xFF0000, 0x00FF00, 0x0000FF, 0x808080, 0x7F7F7F,
    ]

    private static func pixels(_ depth: PNGDepth) throws -> [[UInt8]] {
        // Each row has one word more than the width.
        let words = colours + [0xABCDEF] + colours.reversed() + [0xABCDEF]
        let file = try PNGFile.bytes(
            ofDrawing: words, stride: 8, width: 7, height: 2, depth: depth)
        let raster = try Picture(preparing: file).raster()
        #expect((raster.width, raster.height) == (7, 2))
        let rows = stride(from: 0, to: raster.pixels.count, by: 28).map {
            stride(from: $0, to: $0 + 28, by: 4).map { Array(raster.pixels[$0..<($0 + 3)]) }
        }
        #expect(rows[1] == rows[0].reversed())
        return rows[0]
    }

    @Test func `colours are kept`() throws {
        #expect(
            try Self.pixels(.colours)
                == Self.colours.map { colour in
                    [16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) }
                })
    }

    @Test func `greys are as light as the colours`() throws {
        let lumas: [UInt8] = [255, 0, 76, 150, 29, 128, 127]
        #expect(try Self.pixels(.greys) == lumas.map { [$0, $0, $0] })
    }

    @Test func `in black and white, anything darker than half is black`() throws {
        let lights: [UInt8] = [255, 0, 0, 255, 0, 255, 0]
        #expect(try Self.pixels(.blackAndWhite) == lights.map { [$0, $0, $0] })
    }
}
