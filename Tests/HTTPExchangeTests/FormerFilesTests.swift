import Foundation
import Testing

@testable import HTTPExchange

/// The files of former releases, in a folder on disk.
struct FormerFilesTests {
    private static let day: Int64 = 86_400_000

    private let folder = NSTemporaryDirectory() + "former-\(UInt64.random(in: 0 ... .max))"

    /// Starts a release whose only file has a text.
    private func start(_ text: String, day: Int64) throws -> FileShelf {
        var shelf = try Self.shelf(text)
        try shelf.keep(in: folder, at: day * Self.day)
        return shelf
    }

    private static func shelf(_ text: String) throws -> FileShelf {
        try FileShelf(["a.css": Array(text.utf8)])
    }

    /// The file of a release as another one serves it; nil if it doesn't.
    private func file(_ text: String, of shelf: FileShelf) throws -> String? {
        let version = try Self.shelf(text).version
        return shelf.response(version: version, name: "a.css", Headers([]))
            .map { String(decoding: $0.body, as: UTF8.self) }
    }

    private var kept: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder) }
    }

    @Test func `files of a release are served for 7 days after the next one was started`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // It doesn't matter how long it was the present release.
        _ = try start("one", day: 0)
        _ = try start("one", day: 90)
        #expect(try kept.count == 1)
        var next = try start("two", day: 100)
        #expect(try file("one", of: next) == "one")
        #expect(try file("two", of: next) == "two")
        let version = try Self.shelf("one").version
        #expect(next.response(version: version, name: "b.css", Headers([])) == nil)
        // A start in between changes nothing about that.
        next = try start("two", day: 106)
        #expect(try file("one", of: next) == "one")
        next = try start("two", day: 107)
        #expect(try file("one", of: next) == nil)
        #expect(try kept == [next.version])
    }

    @Test func `a release that is the present one again is not deleted`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try start("one", day: 0)
        _ = try start("two", day: 1)
        let again = try start("one", day: 2)
        #expect(try file("two", of: again) == "two")
        let later = try start("three", day: 9)
        #expect(try file("one", of: later) == "one")
        #expect(try file("two", of: later) == nil)
    }

    @Test func `no more than four former releases are kept, and nothing that is damaged`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 0..<7 { _ = try start("\(number)", day: Int64(number)) }
        var last = try start("6", day: 6)
        let found = try (0..<7).filter { try file("\($0)", of: last) != nil }
        #expect(found == [2, 3, 4, 5, 6])
        #expect(try kept.count == 5)

        let version = try Self.shelf("5").version
        let name = try #require(try kept.first { $0.hasPrefix(version) })
        try Data("{".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        try Data("{}".utf8).write(to: URL(filePath: "\(folder)/.other.part"))
        last = try start("6", day: 6)
        #expect(try file("5", of: last) == nil)
        #expect(try file("4", of: last) == "4")
        #expect(try kept.count == 4)
    }

    @Test func `a former release that can't be read keeps no other from being served`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try start("one", day: 0)
        let until = 9 * Self.day
        try FileManager.default.createDirectory(
            atPath: "\(folder)/0123456789abcdef.\(until)", withIntermediateDirectories: true)
        let next = try start("two", day: 1)
        #expect(try file("one", of: next) == "one")
        #expect(try kept.count == 2)
    }

    @Test func `the files of all former releases together are limited like those of one release`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for letter in ["a", "b", "c"] {
            _ = try start(String(repeating: letter, count: FileShelf.most / 2), day: 0)
        }
        let last = try start("d", day: 1)
        #expect(last.former.count == 2)
        let next = try start("e", day: 1)
        #expect(next.former.map(\.version).contains(last.version))
        #expect(next.former.count == 2)
    }
}
