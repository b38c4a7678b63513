import Foundation
import Speech
import Testing

@testable import Gateway

/// What is written where a person wants it.
@Suite final class OutputFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print(error) }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func kind(_ name: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.type] as? FileAttributeType
    }

    @Test func `a file is replaced as a whole, and nothing is left beside it`() throws {
        let old = Data("what was here before".utf8)
        try old.write(to: URL(filePath: path("paper")))
        let reader = try FileHandle(forReadingFrom: URL(filePath: path("paper")))

        try OutputFile.write(Array("new".utf8), to: path("paper"))

        // The earlier file was not touched: whoever has it open still has all of it.
        #expect(try reader.readToEnd() == old)
        #expect(FileManager.default.contents(atPath: path("paper")) == Data("new".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["paper"])
    }

    @Test func `a pipe gets the bytes and stays a pipe`() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let file = open(path("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }

        try OutputFile.write(Array("new".utf8), to: path("pipe"))

        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(file, &bytes, bytes.count)
        #expect(count == 3 && bytes.starts(with: Array("new".utf8)))
        var facts = stat()
        #expect(lstat(path("pipe"), &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func `a link stays, and its file is written`() throws {
        try Data("a long text".utf8).write(to: URL(filePath: path("paper")))
        try FileManager.default.createSymbolicLink(
            atPath: path("link"), withDestinationPath: path("paper"))

        try OutputFile.write(Array("new".utf8), to: path("link"))

        #expect(FileManager.default.contents(atPath: path("paper")) == Data("new".utf8))
        #expect(try kind("link") == .typeSymbolicLink)
    }

    /// Whether this process may give a link to another account, which in some containers not even
    /// root may.
    private static let givesLinks: Bool = {
        let path = NSTemporaryDirectory() + "/steward-link-\(getpid())"
        defer { unlink(path) }
        return symlink("nowhere", path) == 0 && lchown(path, 65534, 65534) == 0
    }()

    private static let lack: Comment = "a link of another account needs the right to give files"

    @Test(.enabled(if: geteuid() == 0 && givesLinks, lack))
    func `a link that another account has made is not followed`() throws {
        try Data("root's".utf8).write(to: URL(filePath: path("paper")))
        try FileManager.default.createSymbolicLink(
            atPath: path("link"), withDestinationPath: path("paper"))
        let isGiven = lchown(path("link"), 65534, 65534) == 0
        try #require(isGiven)

        let failure = #expect(throws: Failure.self) {
            try OutputFile.write(Array("new".utf8), to: path("link"))
        }

        #expect(failure?.sentence.contains("is a link that another account has made") == true)
        #expect(FileManager.default.contents(atPath: path("paper")) == Data("root's".utf8))
    }

    @Test func `a file that can't be written is named`() {
        let failure = #expect(throws: Failure.self) {
            try OutputFile.write([1], to: path("nothing/here"))
        }
        #expect(failure?.status == .file)
        #expect(failure?.sentence.contains("nothing/here can't be written: ") == true)
    }
}
