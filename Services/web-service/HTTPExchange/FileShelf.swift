import Checksum
import Foundation

/// The files that pages are made of, read once and served from memory. Their path contains a hash
/// of all of them, so that a browser may keep them for ever and never mixes two versions.
public struct FileShelf: Sendable {
    /// Why the files can't be served.
    public struct Fault: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        public let description: String
    }

    struct File: Sendable {
        let type: String
        let plain: [UInt8]
        let packed: [UInt8]?
    }

    /// The file that lists the others with their checksums, as `sha256sum` writes it.
    public static let list = "SHA256SUMS"
    /// The most bytes of all files.
    static let most = 8 << 20

    /// The hash in the paths.
    public let version: String
    let files: [String: File]
    /// The files of former releases.
    var former: [FileShelf] = []

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
    ]

    /// Reads the files that the list of a folder names. What they say to developers isn't served.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - made: files that are made at the start, by name.
    /// - Throws: ``Fault`` when one is missing, altered, or of an unknown kind.
    public init(folder: String, adding made: [String: String] = [:]) throws {
        var found: [String: [UInt8]] = [:]
        var total = 0
        for (sum, name) in try Self.listed(in: folder) {
            let bytes = try Self.read("\(folder)/\(name)")
            var checksum = Checksum()
            checksum.add(bytes)
            guard checksum.text() == sum else {
                throw Fault(
                    description: "\(folder)/\(name) was altered; install the files of this version")
            }
            found[name] = CommentLines.emptied(bytes, of: name)
            total += bytes.count
            guard total <= Self.most else {
                throw Fault(
                    description: "the files in \(folder) are larger than \(Self.most) bytes")
            }
        }
        for (name, text) in made { found[name] = Array(text.utf8) }
        try self.init(found)
    }

    /// Makes a shelf of files by name.
    public init(_ found: [String: [UInt8]]) throws { try self.init(found, packing: true) }

    /// Makes a shelf of files by name.
    ///
    /// - Parameter packing: whether to keep them compressed too, which takes time.
    init(_ found: [String: [UInt8]], packing: Bool) throws {
        var whole = Checksum()
        var files: [String: File] = [:]
        for (name, bytes) in found.sorted(by: { $0.key < $1.key }) {
            let kind = name.split(separator: ".").last.map { String($0) } ?? ""
            guard let type = Self.types[kind] else {
                throw Fault(description: "the file \(name) is of a kind that isn't served")
            }
            whole.add(Array(name.utf8) + [0] + Checksum.of(bytes))
            let small = packing ? Gzip.compressed(bytes) : nil
            let packed = small.flatMap { $0.count < bytes.count ? $0 : nil }
            files[name] = File(type: type, plain: bytes, packed: packed)
        }
        (self.files, version) = (files, String(whole.text().prefix(16)))
    }

    /// The path of a file for pages.
    public func path(_ name: String) -> String { "/files/\(version)/\(name)" }

    /// The names of the files.
    public var names: [String] { files.keys.sorted() }

    /// Answers a request for a file; nil when there is none of this version and name, nor of a
    /// former release.
    public func response(version: String, name: String, _ headers: Headers) -> Response? {
        guard version == self.version else {
            return former.first { $0.version == version }?
                .response(version: version, name: name, headers)
        }
        guard let file = files[name] else { return nil }
        let tag = "\"\(version)\""
        let kept = [(name: "Cache-Control", value: "public, max-age=31536000, immutable")]
        let shared = kept + [("ETag", tag), ("Vary", "Accept-Encoding")]
        if headers.has(tag: tag) { return Response(.notModified, shared) }
        let typed = shared + [("Content-Type", file.type)]
        if headers.acceptsGzip, let packed = file.packed {
            return Response(.ok, typed + [("Content-Encoding", "gzip")], body: packed)
        }
        return Response(.ok, typed, body: file.plain)
    }

    /// Answers a request for a file at an address that stays the same: the browser asks each time
    /// whether it has changed.
    public func lasting(name: String, _ headers: Headers) -> Response? {
        guard let file = files[name] else { return nil }
        let tag = "\"\(version)\""
        let kept = [(name: "Cache-Control", value: "no-cache"), ("ETag", tag)]
        if headers.has(tag: tag) { return Response(.notModified, kept) }
        return Response(.ok, kept + [("Content-Type", file.type)], body: file.plain)
    }

    static func read(_ path: String) throws -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Fault(description: "\(path) can't be read: \(error.localizedDescription)")
        }
    }

    private static func listed(in folder: String) throws -> [(sum: String, name: String)] {
        let text = String(decoding: try read("\(folder)/\(list)"), as: UTF8.self)
        return try text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            let name = parts.count == 2 ? String(parts[1].drop { $0 == " " || $0 == "*" }) : ""
            guard !name.isEmpty, !name.contains(".."), !name.hasPrefix("/") else {
                throw Fault(description: "\(folder)/\(list) has a line that can't be read: \(line)")
            }
            return (String(parts[0]), name)
        }
    }
}
