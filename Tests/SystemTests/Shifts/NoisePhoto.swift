import Checksum
import Foundation
import Messages
import Pictures
import TestSupport

/// Photos of noise, which no encoder can make small.
enum NoisePhoto {
    /// A JPEG as a camera makes it.
    static func camera(
        _ seed: inout Seed, width: Int = 2_400, height: Int = 2_000
    ) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        for at in stride(from: 0, to: pixels.count, by: 4) {
            let number = seed.next()
            for part in 0..<3 {
                pixels[at + part] = UInt8(truncatingIfNeeded: number >> (8 * part))
            }
        }
        guard let raster = Raster(width: width, height: height, pixels: pixels) else {
            throw Complaint("no such raster")
        }
        // As a PNG it would be larger than the limit, so it becomes a JPEG.
        let limits = PictureLimits(
            fileBytes: .max, pixels: .max, edge: max(width, height), preparedBytes: 6 << 20)
        return try Picture(preparing: raster.png(), limits: limits).bytes
    }

    /// The same photo with some coded pixels changed: its checksum differs, its size doesn't.
    static func other(_ number: Int, than file: [UInt8]) -> [UInt8] {
        var file = file
        // Among the coded pixels, avoid bytes that begin a marker or follow such a byte.
        let places = (file.count / 2..<file.count - 2).lazy.filter { at in
            (at - 1...at + 1).allSatisfy { file[$0] != 0xFF && file[$0] != 0 }
        }.prefix(4)
        for (index, at) in places.enumerated() {
            file[at] = UInt8(1 + (number >> (7 * index)) % 128)
        }
        return file
    }

    /// A photo as operations refer to it.
    static func photo(_ file: [UInt8]) throws -> Photo {
        let picture = try Picture(prepared: file, limits: .record)
        return Photo(
            checksum: picture.checksum, size: UInt32(picture.bytes.count),
            width: UInt32(picture.width), height: UInt32(picture.height))
    }
}
