import Foundation
import Pictures
import TestSupport
import Testing

/// Pictures that are refused. Whatever arrives does no harm.
struct HostilePictureTests {
    private func refusal(
        _ file: [UInt8], limits: PictureLimits = .personal
    ) throws -> PictureError {
        let refusal = #expect(throws: PictureError.self) {
            try Picture(preparing: file, limits: limits)
        }
        return try #require(refusal)
    }

    @Test func `a file of 100 MB is refused by its size, with the limit and what helps`() throws {
        let file = [UInt8](repeating: 0xFF, count: 100_000_000)
        let refusal = try refusal(file)
        #expect(refusal == .fileTooLarge(limit: 20 << 20))
        #expect(
            "\(refusal)" == "the file has more than 20 MiB; save the picture smaller, and try again"
        )
    }

    @Test func `a file of exactly the limit is read, and one byte more is refused`() throws {
        let file = try SomePicture.file("rgb.png")
        var limits = PictureLimits.personal
        limits.fileBytes = file.count
        #expect(throws: Never.self) { try Picture(preparing: file, limits: limits) }
        limits.fileBytes -= 1
        #expect(try refusal(file, limits: limits) == .fileTooLarge(limit: limits.fileBytes))
    }

    @Test(arguments: [(100_000, 100_000), (60_000, 60_000), (8_000, 7_000)])
    func `a PNG bomb is refused by its header`(width: UInt32, height: UInt32) throws {
        let file = Self.png(width: width, height: height)
        let refusal = try refusal(file)
        #expect(
            refusal == .tooManyPixels(width: Int(width), height: Int(height), limit: 50_000_000))
        #expect("\(refusal)".contains("at most 50 million are read; save it smaller"))
    }

    @Test(arguments: ["zTXt", "tEXt", "iTXt", "iCCP", "eXIf", "PLTE", "IDAT"])
    func `a PNG takes no memory for a chunk that it only announces`(type: String) throws {
        let before = Self.mostMemory
        var file = try SomePicture.file("rgb.png")
        // The chunk follows the header, and announces a length of two gigabytes.
        let part = [0x7F, 0, 0, 0] + Array(type.utf8) + [UInt8](repeating: 7, count: 200)
        file.replaceSubrange(33..., with: part)

        guard case .damaged = try refusal(file) else { Issue.record("not refused"); return }

        #expect(Self.mostMemory - before < 1 << 30)
    }

    @Test func `a PNG is read without unpacking its colour profile`() throws {
        let before = Self.mostMemory
        var file = try SomePicture.file("rgb.png")
        let plain = try Picture(preparing: file)
        // A zlib stream of one stored block: the header of a profile of two gigabytes.
        let profile: [UInt8] = [0x7F, 0, 0, 0] + Array(repeating: 0, count: 128)
        let content =
            Array("bomb".utf8) + [0, 0, 0x78, 0x01, 1, 132, 0, 123, 255] + profile + [0, 0, 0, 0]
        let length = [0, 0, 0, UInt8(content.count)]
        file.insert(contentsOf: length + Array("iCCP".utf8) + content + [0, 0, 0, 0], at: 33)

        #expect(try Picture(preparing: file) == plain)

        #expect(Self.mostMemory - before < 1 << 30)
    }

    /// The most memory that this process has ever used, in bytes.
    private static var mostMemory: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }

    @Test func `a JPEG bomb is refused by its header`() throws {
        var file = try SomePicture.file("baseline.jpg")
        let frame = try #require(Self.frame(of: file))
        file.replaceSubrange(frame..<(frame + 4), with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(
            try refusal(file) == .tooManyPixels(width: 65_500, height: 65_500, limit: 50_000_000))
    }

    @Test func `a header that promises more than the file has is refused`() throws {
        var file = try SomePicture.file("baseline.jpg")
        let frame = try #require(Self.frame(of: file))
        file.replaceSubrange(frame..<(frame + 4), with: [0x10, 0, 0x10, 0])
        guard case .damaged = try refusal(file) else { Issue.record("not refused"); return }
        guard case .damaged = try refusal(Self.png(width: 3_000, height: 3_000)) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `a progressive picture with too many scans is refused`() throws {
        let file = try SomePicture.file("progressive.jpg")
        func marker(after place: Int, _ isWanted: (UInt8) -> Bool) throws -> Int {
            try #require(
                (place..<(file.count - 1)).first { file[$0] == 0xFF && isWanted(file[$0 + 1]) })
        }
        let first = try marker(after: 2) { $0 == 0xDA }
        let second = try marker(after: first + 2) { $0 != 0 && !(0xD0...0xD7).contains($0) }
        // A one-bit code. With four more bits it says that the next 16 to 31 blocks are empty.
        let table: [UInt8] =
            [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0x40]
        let scans = (1...3).flatMap { component in
            (1...63).flatMap { frequency -> [UInt8] in
                [0xFF, 0xDA, 0, 8, 1, component, 0, frequency, frequency, 0, 0b0_1000_111]
            }
        }
        let many = Array(file[..<second]) + table + scans + [0xFF, 0xD9]
        guard case .damaged(let reason) = try refusal(many) else {
            Issue.record("not refused")
            return
        }
        #expect(reason == "it has too many scans")
        // The number of scans that ordinary programs make is accepted.
        let few = Array(file[..<second]) + table + scans.prefix(40 * 11) + [0xFF, 0xD9]
        #expect(try Picture(preparing: few).width == 48)
    }

    @Test(arguments: [
        ("GIF89a", "a GIF picture"), ("\0\0\0\u{18}ftypheic", "a HEIC picture"),
        ("RIFF\0\0\0\0WEBPVP8 ", "a WebP picture"), ("%PDF-1.7", "a PDF document"),
        ("<svg xmlns=", "an SVG or XML document"), ("hello", nil),
    ])
    func `another format is refused by name`(content: String, name: String?) throws {
        let refusal = try refusal(Array(content.utf8))
        #expect(refusal == .notAPicture(format: name))
        #expect("\(refusal)".contains("save the picture as"))
    }

    @Test func `an empty file is refused`() throws {
        #expect(try refusal([]) == .empty)
    }

    @Test(arguments: SomePicture.names)
    func `a truncated picture is refused, or is complete`(name: String) throws {
        let file = try SomePicture.file(name)
        let whole = try Picture(preparing: file)
        for length in 0..<file.count {
            if let picture = try? Picture(preparing: Array(file[..<length])) {
                // Only data after the picture was cut off; its rotation is in the EXIF block, which
                // comes before it.
                #expect(picture == whole, "\(length) of \(file.count) bytes")
            }
        }
    }

    @Test(arguments: Seed.some(15))
    func `a randomly changed picture is prepared or refused, within the limits`(seed: Seed) throws {
        var seed = seed
        var limits = PictureLimits.personal
        limits.pixels = 40_000
        limits.edge = 32
        for name in SomePicture.names {
            var file = try SomePicture.file(name)
            let other = try SomePicture.file(seed.pick(SomePicture.names))
            for _ in 0...seed.below(4) { Self.change(&file, other, &seed) }
            guard let picture = try? Picture(preparing: file, limits: limits) else { continue }
            #expect(1...32 ~= picture.width && 1...32 ~= picture.height)
            #expect(picture.bytes.count <= limits.preparedBytes)
            #expect(try Picture(prepared: picture.bytes, limits: limits) == picture)
            #expect(try picture.raster().pixels.count == picture.width * picture.height * 4)
        }
    }

    @Test(arguments: Seed.some(15))
    func `prepared bytes that were changed are drawn or refused`(seed: Seed) throws {
        var seed = seed
        for name in SomePicture.names {
            let prepared = try Picture(preparing: SomePicture.file(name)).bytes
            var file = prepared
            Self.change(&file, try SomePicture.file(seed.pick(SomePicture.names)), &seed)
            guard let picture = try? Picture(prepared: file) else { continue }
            if let raster = try? picture.raster() {
                #expect((raster.width, raster.height) == (picture.width, picture.height))
            }
        }
    }

    @Test(arguments: SomePicture.names)
    func `a picture with anything added doesn't count as prepared`(name: String) throws {
        let prepared = try Picture(preparing: SomePicture.file(name))
        #expect(throws: PictureError.notPrepared) { try Picture(prepared: prepared.bytes + [0]) }
        var hidden = prepared.bytes
        switch prepared.format {
        case .png: hidden.insert(contentsOf: Self.chunk("tEXt", Array("a\0b".utf8)), at: 33)
        case .jpeg: hidden.insert(contentsOf: [0xFF, 0xFE, 0, 4, 65, 66], at: 2)
        }
        // It looks the same when drawn.
        #expect(try Picture(preparing: hidden).width == prepared.width)
        #expect(throws: PictureError.notPrepared) { try Picture(prepared: hidden) }
    }

    /// The position of a JPEG's height and width.
    private static func frame(of file: [UInt8]) -> Int? {
        file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 }.map { $0 + 5 }
    }

    /// A PNG whose header announces this size, with one row of pixels.
    private static func png(width: UInt32, height: UInt32) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bytes(width) + bytes(height) + [8, 2, 0, 0, 0])
            // An empty zlib stream.
            + chunk("IDAT", [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]) + chunk("IEND", [])
    }

    /// A chunk of a PNG with its CRC (ISO 3309).
    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        func bytes(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return bytes(UInt32(content.count)) + body + bytes(~sum)
    }

    private static func change(_ file: inout [UInt8], _ other: [UInt8], _ seed: inout Seed) {
        guard !file.isEmpty else { return }
        let place = seed.below(file.count)
        switch seed.below(6) {
        case 0: file[place] = UInt8(seed.below(256))
        case 1: file[place] ^= 1 << UInt8(seed.below(8))
        case 2: file.removeSubrange(place..<min(file.count, place + 1 + seed.below(16)))
        case 3: file.insert(contentsOf: other.shuffled(using: &seed).prefix(8), at: place)
        case 4:
            file.replaceSubrange(
                place..., with: other.suffix(other.count - min(other.count, place)))
        default:
            let end = min(file.count, place + 4)
            file.replaceSubrange(place..<end, with: [0xFF, 0xFF, 0xFF, 0xFF].prefix(end - place))
        }
        // A changed PNG is refused because of its checksums, so now and then correct them.
        if seed.oneIn(2), file.starts(with: [0x89, 0x50]) { mendSums(&file) }
    }

    /// Corrects the CRC of each whole chunk of a PNG.
    private static func mendSums(_ file: inout [UInt8]) {
        var place = 8
        while place + 12 <= file.count {
            let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - place - 12 else { return }
            let type = String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self)
            let content = Array(file[(place + 8)..<(place + 8 + length)])
            let mended = chunk(type, content)
            if mended.count == length + 12 {
                file.replaceSubrange(place..<(place + length + 12), with: mended)
            }
            place += length + 12
        }
    }
}
