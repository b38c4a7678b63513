import Foundation
import TestSupport
import Testing

@testable import ArbitraryMessages
@testable import Messages

/// Every message exchanged with Python's own protobuf, in both directions.
@Suite struct `Python's protobuf` {
    @Test func `understands what Swift packs, and Swift what it packs again`() throws {
        let seeds = Seed.some(30)
        var messages: [any AnyMessage] = []
        for type in everyMessage {
            for seed in seeds {
                var seed = seed
                messages.append(type.any(&seed))
            }
        }

        let answers = try python(["compare"], input: messages.map { try line($0, $0.packed()) })

        try #require(answers.count == messages.count)
        for (message, answer) in zip(messages, answers) { try check(message, answer) }
    }

    @Test func `is understood by Swift, and understands what Swift packs again`() throws {
        let types = Dictionary(uniqueKeysWithValues: everyMessage.map { ($0.protobufName, $0) })
        let seed = try #require(Seed.some(1).first)

        var lines: [String] = []
        var names: Set<String> = []
        for made in try python(["make", "30", String(seed.start)], input: []) {
            let words = made.split(separator: " ", omittingEmptySubsequences: false)
            guard let type = types[String(words[0])] else { continue }
            let bytes = try JSONDecoder().decode(HexText.self, from: Data("\"\(words[1])\"".utf8))
                .bytes
            names.insert(type.protobufName)
            lines.append(try line(try type.init(unpacking: bytes), bytes))
        }

        #expect(names == Set(types.keys))
        for (line, answer) in zip(lines, try python(["compare"], input: lines)) {
            #expect(answer.hasPrefix("equal"), "\(seed) \(line)\n\(answer)")
        }
    }

    /// The input of `compare`: the name, the bytes from elsewhere, the bytes packed by Swift, and
    /// Swift's JSON.
    private func line(_ message: any AnyMessage, _ bytes: [UInt8]) throws -> String {
        let json = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        let name = type(of: message).protobufName
        return "\(name) \(hexText(bytes)) \(hexText(message.packed())) \(json)"
    }

    private func check<M: AnyMessage>(_ message: M, _ answer: String) throws {
        let words = answer.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "equal" else {
            Issue.record("\(M.protobufName): \(answer)")
            return
        }
        let bytes = try JSONDecoder().decode(HexText.self, from: Data("\"\(words[1])\"".utf8)).bytes
        #expect(try M(unpacking: bytes) == message)
    }

    private func python(_ arguments: [String], input: [String]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "error"].map { folder.appending(path: $0) }
        try Data(input.map { $0 + "\n" }.joined().utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }

        let process = Process()
        // Debian's own Python, which the package python3-protobuf is for.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = fixtures.appending(path: "interop.py").path()
        let descriptors = fixtures.appending(path: "Descriptors/descriptors.binpb").path()
        process.arguments = [script, descriptors] + arguments
        process.environment = ["PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"]
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        do {
            try process.run()
        } catch {
            Issue.record("There is no /usr/bin/python3: apt-get install python3-protobuf")
            throw error
        }
        process.waitUntilExit()

        let complaint = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        try #require(process.terminationStatus == 0, "\(complaint)")
        let output = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
        return output.split(separator: "\n").map(String.init)
    }
}

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
