import Foundation
import Testing

@testable import Disk

struct OpenFileTests {
    private static let bytes = [UInt8](repeating: 7, count: 200_000)

    @Test func `all bytes are written, one after the other`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "bytes-\(UUID())").path
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer {
            close(file)
            unlink(path)
        }

        #expect(OpenFile.write([], to: file))
        #expect(OpenFile.write([1, 2], to: file))
        #expect(OpenFile.write(Self.bytes, to: file))

        #expect(FileManager.default.contents(atPath: path) == Data([1, 2] + Self.bytes))
    }

    @Test func `what takes only a part of the bytes is reported with its reason`() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = pipe(&ends) == 0
        try #require(isOpen)
        defer { for end in ends { close(end) } }
        try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)

        errno = 0
        let isWritten = OpenFile.write(Self.bytes, to: ends[1])
        let code = errno

        #expect(!isWritten && code == EAGAIN)
    }

    @Test func `a full disk is reported as full`() throws {
        let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }

        let isWritten = OpenFile.write([1], to: file)
        let code = errno

        #expect(!isWritten && code == ENOSPC)
    }
}
