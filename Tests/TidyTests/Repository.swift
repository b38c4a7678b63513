import Foundation
import Testing

/// The files of this repository: what is committed, and what is about to be.
struct Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every text file, in order of its path.
    static let files: [TextFile] = {
        let list = Process()
        list.executableURL = URL(filePath: "/usr/bin/env")
        list.arguments = ["git", "-C", root.path, "ls-files", "-co", "--exclude-standard"]
        let output = Pipe()
        list.standardOutput = output
        do { try list.run() } catch { return [] }
        let paths = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        list.waitUntilExit()
        return Set(paths.split(separator: "\n")).sorted().compactMap { TextFile(String($0)) }
    }()

    /// Swift that people write: generated code follows its generator.
    static let swift = files.filter { $0.path.hasSuffix(".swift") && !$0.isGenerated }

    /// The file at a path; the test fails when it is not there.
    static func file(_ path: String) throws -> TextFile {
        try #require(files.first { $0.path == path }, "\(path) is missing")
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The services as Package.swift lists them: the product and its module.
    static func services() throws -> [(product: String, module: String)] {
        let manifest = try file("Package.swift").text
        return manifest.matches(of: /service\(\s*"([a-z-]+)", "([A-Za-z]+)"/)
            .map { (String($0.1), String($0.2)) }
    }
}

/// One file of the repository.
struct TextFile {
    /// Its path from the root.
    let path: String
    let text: String
    let lines: [Substring]
    /// Its lines of Swift without comments and quotations; empty for other files.
    let code: [String]

    /// Nil when the file is gone or is not text.
    init?(_ path: String) {
        guard
            let bytes = FileManager.default.contents(
                atPath: Repository.root.appending(path: path).path),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code = path.hasSuffix(".swift") ? lines.map(Self.code) : []
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var isTest: Bool { path.hasPrefix("Tests/") }
    var isGenerated: Bool {
        path.contains("/Generated/") || path.hasPrefix("Shared/CMessages/")
            || path.hasPrefix("Tests/CEveryKind/")
    }

    /// A line as the compiler sees it, about: without its comment and without what stands in
    /// quotation marks.
    private static func code(_ line: Substring) -> String {
        var bare: [UInt8] = []
        var isQuoted = false
        var before: UInt8 = 0
        for byte in line.utf8 {
            if byte == UInt8(ascii: "\""), before != UInt8(ascii: "\\") { isQuoted.toggle() }
            if byte == UInt8(ascii: "/"), before == byte, !isQuoted {
                bare.removeLast()
                break
            }
            if !isQuoted { bare.append(byte) }
            before = byte
        }
        return String(decoding: bare, as: UTF8.self)
    }

    /// `path:line` of every line of code in which the pattern occurs.
    func places(of pattern: String) throws -> [String] {
        let pattern = try Regex(pattern).wordBoundaryKind(.simple)
        return code.enumerated().filter { $0.element.contains(pattern) }
            .map { "\(path):\($0.offset + 1)" }
    }

    /// The modules that it imports.
    var imports: Set<String> {
        Set(
            code.compactMap { $0.firstMatch(of: /^(?:@\w+ |\w+ )*import (?:\w+ )?(\w+)/) }
                .map { String($0.1) })
    }

    /// Every function with the number of its lines, by the indentation of its closing brace.
    var functions: [(line: Int, length: Int)] {
        code.indices.compactMap { start in
            let words = code[start].split { !$0.isLetter }
            guard let open = words.contains(where: Self.beginsFunction) ? body(start) : nil
            else { return nil }
            let margin = code[start].prefix { $0 == " " }
            let end = code[open...].firstIndex { $0.hasPrefix(margin + "}") } ?? open
            return (start + 1, end - start + 1)
        }
    }

    private static func beginsFunction(_ word: Substring) -> Bool {
        ["func", "init", "deinit", "subscript", "var"].contains(word)
    }

    /// The line at whose end the body opens of what is declared in a line; nil when it has none of
    /// more than a line.
    private func body(_ start: Int) -> Int? {
        for line in code[start...].prefix(20).indices {
            if code[line].hasSuffix("{") { return line }
            if code[line].contains("{") || code[line].allSatisfy({ $0 == " " }) { return nil }
        }
        return nil
    }
}
