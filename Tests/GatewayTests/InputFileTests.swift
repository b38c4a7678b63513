import Foundation
import Speech
import Testing

@testable import Gateway

@Suite struct InputFileTests {
    private func refusal(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing"
        } catch let failure as Failure {
            return "\(failure.status) \(failure.sentence)"
        } catch { return "\(error)" }
    }

    @Test func `an endless file is read to one byte past the limit`() throws {
        #expect(try InputFile.bytes("/dev/zero", upTo: 1_000).count == 1_001)
        #expect(
            refusal { _ = try InputFile.bytes("/dev/zero", atMost: 2 << 20, cure: "cut it") }
                == "refused /dev/zero has more than 2 MiB")
    }

    @Test func `a file of exactly the maximum size is read whole`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID())").path
        defer { unlink(path) }
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        try Data(bytes).write(to: URL(filePath: path))

        #expect(try InputFile.bytes(path, atMost: 1 << 20, cure: "cut it") == bytes)
        try Data(bytes + [7]).write(to: URL(filePath: path))
        #expect(
            refusal { _ = try InputFile.bytes(path, atMost: 1 << 20, cure: "cut it") }
                == "refused \(path) has more than 1 MiB")
    }

    @Test(arguments: ["/nothing/here", "/"])
    func `a file that can't be read is named`(path: String) {
        let words = refusal { _ = try InputFile.bytes(path, upTo: 10) }
        #expect(words.hasPrefix("file \(path) can't be read: "), "\(words)")
    }
}
