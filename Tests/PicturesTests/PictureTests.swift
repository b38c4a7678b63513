import Checksum
import Foundation
import Pictures
import Testing

/// The preparation of pictures.
struct PictureTests {
    @Test(arguments: ["rgb.png", "palette.png", "deep.png", "interlaced.png", "mirrored.png"])
    func `a PNG of any kind keeps its colours, and stays a PNG`(name: String) throws {
        let picture = try Picture(preparing: SomePicture.file(name))
        #expect(picture.format == .png)
        #expect((picture.width, picture.height) == (48, 32))
        #expect(SomePicture.isRight(try picture.raster()))
    }

    @Test(arguments: [
        ("baseline.jpg", 4), ("progressive.jpg", 6), ("secret.jpg", 6), ("cmyk.jpg", 8),
    ])
    func `a JPEG of any kind keeps its colours, and stays a JPEG`(
        name: String, tolerance: Int
    ) throws {
        let picture = try Picture(preparing: SomePicture.file(name))
        #expect(picture.format == .jpeg)
        #expect((picture.width, picture.height) == (48, 32))
        let raster = try picture.raster()
        #expect(
            SomePicture.isRight(raster, within: tolerance), "\(SomePicture.fields(of: raster))")
    }

    @Test(arguments: ["grey.png", "grey.jpg"])
    func `grey stays grey, as light as it was`(name: String) throws {
        let fields = SomePicture.fields(of: try Picture(preparing: SomePicture.file(name)).raster())
        for (found, colour) in zip(fields, SomePicture.fields) {
            let luma = Int(colour[0]) * 299 + Int(colour[1]) * 587 + Int(colour[2]) * 114
            #expect(found[0] == found[1] && found[1] == found[2] && found[3] == 255)
            #expect(abs(Int(found[0]) - luma / 1_000) <= 2)
        }
    }

    @Test func `one bit is black or white`() throws {
        let fields = SomePicture.fields(
            of: try Picture(preparing: SomePicture.file("bits.png")).raster())
        // Red is darker than 100, green lighter.
        #expect(fields.map { $0[0] } == [0, 255, 0, 255])
    }

    @Test(arguments: ["alpha.png", "grey-alpha.png", "palette-clear.png", "deep-alpha.png"])
    func `transparency is kept, and fully transparent pixels have no colour`(name: String) throws {
        let picture = try Picture(preparing: SomePicture.file(name))
        #expect(picture.format == .png)
        let fields = SomePicture.fields(of: try picture.raster())
        #expect(fields.map { $0[3] } == [255, 255, 0, 255])
        #expect(fields[2] == [0, 0, 0, 0])
    }

    @Test(arguments: 1...8)
    func `a picture is upright however the camera was held`(orientation: Int) throws {
        let picture = try Picture(preparing: SomePicture.file("held-\(orientation).jpg"))
        #expect((picture.width, picture.height) == (48, 32))
        #expect(SomePicture.isRight(try picture.raster(), within: 5))
        // It isn't turned a second time.
        let again = try Picture(preparing: picture.bytes)
        #expect(SomePicture.isRight(try again.raster(), within: 8))
    }

    @Test(arguments: ["secret.png", "secret.jpg"])
    func `nothing hidden in a file survives`(name: String) throws {
        let file = try SomePicture.file(name)
        #expect(Data(file).range(of: Data("SECRET".utf8)) != nil)
        let picture = try Picture(preparing: file)
        let kept = Data(picture.bytes)
        for word in ["SECRET", "Exif", "ICC_PROFILE", "iCCP", "tEXt", "GPS"] {
            #expect(kept.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(SomePicture.isRight(try picture.raster(), within: 6))
    }

    @Test func `removing hidden data doesn't change the picture`() throws {
        let secret = try Picture(preparing: SomePicture.file("secret.png"))
        let plain = try Picture(preparing: SomePicture.file("rgb.png"))
        #expect(secret == plain)
        #expect(secret.checksum == plain.checksum)
        #expect(secret.checksum == Checksum.of(secret.bytes))
    }

    @Test(arguments: SomePicture.names)
    func `the same file gives the same bytes, which count as prepared`(name: String) throws {
        let file = try SomePicture.file(name)
        let picture = try Picture(preparing: file)
        #expect(try Picture(preparing: file) == picture)
        #expect(try Picture(prepared: picture.bytes) == picture)
    }

    @Test func `a larger picture is reduced to the mean of what each pixel covers`() throws {
        // Columns of black and white become grey; an area that is a third white stays so.
        let stripes = try SomePicture.raster(384, 192) { x, _ in
            let value: UInt8 = x % 3 == 0 ? 255 : 0
            return [value, value, value, 255]
        }
        var limits = PictureLimits.personal
        limits.edge = 128
        let picture = try Picture(preparing: stripes.png(), limits: limits)
        #expect((picture.width, picture.height) == (128, 64))
        let pixels = try picture.raster().pixels
        #expect(Set(pixels.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)) == [85])
    }

    @Test(arguments: [(150, 100, 128, 85), (100, 150, 85, 128), (4_000, 1, 128, 1)])
    func `a picture keeps its proportions`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) throws {
        let plain = try SomePicture.raster(width, height) { _, _ in [200, 100, 50, 255] }
        var limits = PictureLimits.personal
        limits.edge = 128
        let picture = try Picture(preparing: plain.png(), limits: limits)
        #expect((picture.width, picture.height) == (newWidth, newHeight))
        #expect(try picture.raster().pixels.prefix(4) == [200, 100, 50, 255])
        #expect(Set(try picture.raster().pixels) == [200, 100, 50, 255])
    }

    @Test func `colours of transparent pixels don't show when a picture is reduced`() throws {
        // Visible white next to invisible red doesn't become pink.
        let raster = try SomePicture.raster(2_048, 2) { x, _ in
            x % 2 == 0 ? [255, 255, 255, 255] : [255, 0, 0, 0]
        }
        let pixels = try Picture(preparing: raster.png()).raster().pixels
        #expect(pixels.prefix(4) == [255, 255, 255, 128])
        #expect(Set(pixels) == [255, 128])
    }

    @Test func `a picture that is too large as a PNG becomes a JPEG, or smaller`() throws {
        var seed: UInt64 = 1
        func noise() -> UInt8 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
        let opaque = try SomePicture.raster(200, 200) { _, _ in [noise(), noise(), noise(), 255] }
        var limits = PictureLimits.personal
        limits.preparedBytes = 50 << 10
        let photo = try Picture(preparing: opaque.png(), limits: limits)
        #expect(photo.format == .jpeg && photo.width == 200)
        #expect(photo.bytes.count <= limits.preparedBytes)

        let clear = try SomePicture.raster(200, 200) { _, _ in [noise(), noise(), noise(), noise()]
        }
        let sticker = try Picture(preparing: clear.png(), limits: limits)
        #expect(sticker.format == .png && sticker.width < 200)
        #expect(sticker.bytes.count <= limits.preparedBytes)
    }
}
