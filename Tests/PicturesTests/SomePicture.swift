import Foundation
import Pictures
import Testing

/// A picture in `Fixtures`, made by `make_pictures.py`.
struct SomePicture {
    /// The colours of its fields, from left to right and top to bottom.
    static let fields: [[UInt8]] = [
        [220, 30, 30], [30, 160, 60], [30, 60, 200], [240, 200, 40],
    ]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")

    static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The names of all files that are pictures.
    static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { !$0.hasSuffix(".py") }.sorted()
    }()

    /// The pixel in the middle of each field of a picture.
    static func fields(of raster: Raster) -> [[UInt8]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { column, row in
            let at = (raster.height * row / 4 * raster.width + raster.width * column / 4) * 4
            return Array(raster.pixels[at..<(at + 4)])
        }
    }

    /// True if each field has its colour, except for changes by JPEG and the mixing of inks.
    static func isRight(_ raster: Raster, within tolerance: Int = 0) -> Bool {
        zip(fields(of: raster), fields).allSatisfy { found, wanted in
            found[3] == 255 && zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
        }
    }

    /// An opaque raster of these colours, a function of the column and row.
    static func raster(
        _ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]
    ) throws -> Raster {
        var pixels: [UInt8] = []
        for y in 0..<height { for x in 0..<width { pixels += pixel(x, y) } }
        return try #require(Raster(width: width, height: height, pixels: pixels))
    }
}
