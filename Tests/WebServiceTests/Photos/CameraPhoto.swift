import Bus
import Foundation
import Messages
import Pictures
import TestSupport

/// Photos as cameras make them.
enum CameraPhoto {
    /// A JPEG from a camera that was held upright: the picture lies on its side, and the file says
    /// so, and where it was taken.
    static func upright(_ number: UInt8 = 0) throws -> [UInt8] {
        let picture = try Picture(
            preparing: try raster(width: 2_400, height: 1_800, number).png(),
            limits: PictureLimits(
                fileBytes: .max, pixels: .max, edge: 2_400, preparedBytes: 900_000))
        // TIFF with one entry, the orientation: rotated by a quarter turn to the right.
        let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let exif =
            Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + tag + [0, 0, 0, 0]
            + Array("GPS 60.39 5.32".utf8)
        let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        return Array(picture.bytes.prefix(2) + segment + picture.bytes.dropFirst(2))
    }

    /// A small prepared JPEG. It would be too large as a PNG.
    static func prepared(_ number: UInt8 = 0) throws -> [UInt8] {
        try Picture(
            preparing: try raster(width: 160, height: 120, number).png(),
            limits: PictureLimits(fileBytes: .max, pixels: .max, edge: 160, preparedBytes: 5_000)
        ).bytes
    }

    /// Waves of colour, and a corner of noise, so that no PNG of it is small.
    private static func raster(width: Int, height: Int, _ number: UInt8) throws -> Raster {
        var seed = Seed(UInt64(number) + 7)
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let at = (y * width + x) * 4
                let noise = x < width / 3 && y < height / 3 ? seed.next() : 0
                pixels[at] = UInt8((x * 255) / width) ^ UInt8(truncatingIfNeeded: noise)
                pixels[at + 1] = UInt8((y * 255) / height) ^ UInt8(truncatingIfNeeded: noise >> 8)
                pixels[at + 2] = number &* 37
            }
        }
        guard let raster = Raster(width: width, height: height, pixels: pixels) else {
            throw Complaint("no such raster")
        }
        return raster
    }
}

extension Lobby {
    /// The id of the open shift of a site.
    func shift(at site: String = "Harbour") throws -> String {
        let client = try system.client(of: .checklist)
        guard let shift = try client.ask(ReadShift(site: site), for: ShiftSnapshot.self).shift
        else { throw Complaint("no shift is open at \(site)") }
        return shift.id
    }

    /// The operations of a shift.
    func operations(of shift: String) throws -> [ShiftOperation] {
        try system.client(of: .checklist)
            .ask(ReadOperations(shift: shift), for: OperationPage.self).operations
    }

    /// The file of a photo of a shift.
    func file(of photo: Photo, in shift: String) throws -> [UInt8] {
        try system.client(of: .checklist)
            .ask(ReadPhoto(shift: shift, checksum: photo.checksum), for: PhotoFile.self).file
    }
}
