import Pictures
import Speech

/// A picture made of half blocks: a terminal shows two in each character cell, one above the other,
/// each with its own colour. They are about square.
enum PictureBlock {
    /// The lines of a picture, as large as the room allows. It is never enlarged.
    ///
    /// - Parameter isFine: true for a terminal that shows all colours, not only 256.
    static func lines(_ picture: Raster, _ room: WindowSize, isFine: Bool) -> [StyledLine] {
        guard room.columns > 0, room.rows > 0 else { return [] }
        let (width, height) = (picture.width, picture.height)
        let edge = min(
            max(width, height) * room.columns / width,
            max(width, height) * room.rows * 2 / height)
        let seen = picture.reduced(to: max(1, edge))
        return stride(from: 0, to: seen.height, by: 2).map { row in
            var line = StyledLine()
            for column in 0..<seen.width {
                let above = pixel(seen, column, row)
                let below = row + 1 < seen.height ? pixel(seen, column, row + 1) : nil
                switch (above, below) {
                case (nil, nil): line.add(" ")
                case (let above?, let below):
                    line.add("▀", Style(above: above, below: below, isFine: isFine))
                case (nil, let below?):
                    line.add("▄", Style(above: below, below: nil, isFine: isFine))
                }
            }
            return line
        }
    }

    /// The colour of a pixel; nil where the picture is more clear than opaque.
    private static func pixel(_ picture: Raster, _ column: Int, _ row: Int) -> [UInt8]? {
        let at = (row * picture.width + column) * 4
        guard picture.pixels[at + 3] >= 128 else { return nil }
        return Array(picture.pixels[at..<(at + 3)])
    }
}

extension Style {
    /// A half block in the colour of what is above, on the colour of what is below.
    ///
    /// - Parameter isFine: true for exact colours, false for the nearest of the 256 that every
    ///   modern terminal has.
    fileprivate init(above: [UInt8], below: [UInt8]?, isFine: Bool) {
        func code(_ colour: [UInt8]) -> String {
            isFine
                ? "2;" + colour.map { "\($0)" }.joined(separator: ";") : "5;\(Self.nearest(colour))"
        }
        self.init(rawValue: "38;" + code(above) + (below.map { ";48;" + code($0) } ?? ""))
    }

    /// The nearest colour of the cube of 6 x 6 x 6 colours, or of the 24 greys for a grey.
    private static func nearest(_ colour: [UInt8]) -> Int {
        let parts = colour.map { Int($0) }
        let (least, most) = (parts.min() ?? 0, parts.max() ?? 0)
        if most - least < 12, (8...238).contains(least) { return 232 + (least - 3) / 10 }
        // The levels of the cube are 0, 95, 135, 175, 215 and 255.
        let levels = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
        return 16 + 36 * levels[0] + 6 * levels[1] + levels[2]
    }
}
