import Bus
import Foundation

/// Chromium, driven by `Tests/WebPages/browser.py`.
final class Driver {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private var read: [UInt8] = []

    private struct Wish: Encodable {
        let what: String, name: String, text: String, more: [String: String]
    }

    private struct Said: Decodable {
        let texts: [String], fault: String?

        private enum Key: String, CodingKey { case value, fault }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            fault = try values.decodeIfPresent(String.self, forKey: .fault)
            if let all = try? values.decode([String].self, forKey: .value) {
                texts = all
            } else if let number = try? values.decode(Double.self, forKey: .value) {
                texts = [String(number)]
            } else {
                texts = (try? values.decode(String.self, forKey: .value)).map { [$0] } ?? []
            }
        }
    }

    /// Starts Chromium; nil if it can't be driven here.
    init?() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../..").standardized
        let python = root.appending(path: ".build/browser/bin/python").path
        let needed = [python, "/usr/bin/chromium-headless-shell"]
        guard needed.allSatisfy(FileManager.default.isExecutableFile) else { return nil }
        process.executableURL = URL(filePath: python)
        process.arguments = [root.appending(path: "Tests/WebPages/browser.py").path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        process.waitUntilExit()
    }

    @discardableResult
    func ask(
        _ what: String, _ name: String, _ text: String = "", more: [String: String] = [:]
    ) throws -> [String] {
        var line = try JSONEncoder().encode(
            Wish(what: what, name: name, text: text, more: more))
        line.append(UInt8(ascii: "\n"))
        try input.fileHandleForWriting.write(contentsOf: line)
        while !read.contains(UInt8(ascii: "\n")) {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw ConfigurationError("the browser ended") }
            read += bytes
        }
        let end = read.firstIndex(of: UInt8(ascii: "\n")) ?? read.startIndex
        defer { read.removeFirst(end + 1) }
        let said = try JSONDecoder().decode(Said.self, from: Data(read[..<end]))
        if let fault = said.fault { throw ConfigurationError("\(what) \(text): \(fault)") }
        return said.texts
    }

    func number(_ what: String, _ name: String, _ text: String) throws -> Double {
        guard let number = try ask(what, name, text).first.flatMap(Double.init) else {
            throw ConfigurationError("\(text) is no number")
        }
        return number
    }
}
