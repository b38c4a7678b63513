import Bus
import Foundation
import HTTPExchange
import Phrases
import Testing

@testable import WebService

/// The files of the pages: those served are those in the repository.
struct WebFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Services/web-service/Web").standardized.path

    @Test func `every file of the pages is in the list, with its checksum`() throws {
        let shelf = try FileShelf(folder: Self.folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(files.filter { $0 != FileShelf.list }.sorted() == shelf.names)
    }

    @Test func `no page has the comments of its scripts and styles to load`() throws {
        let shelf = try FileShelf(folder: Self.folder)
        for name in shelf.names where name.hasSuffix(".js") || name.hasSuffix(".css") {
            let response = shelf.response(version: shelf.version, name: name, Headers([]))
            let text = String(decoding: try #require(response).body, as: UTF8.self)
            let comments = text.split(separator: "\n").filter {
                ["//", "/*"].contains($0.drop { $0 == " " }.prefix(2))
            }
            #expect(comments == [], "\(name)")
        }
    }

    @Test func `scripts have all their words in each language`() throws {
        let shelf = try WebFiles.shelf(["STEWARD_WEB_FILES": Self.folder])
        for language in Language.allCases {
            let name = "words.\(language.rawValue).js"
            let request = Headers([])
            let response = shelf.response(version: shelf.version, name: name, request)
            let text = String(decoding: try #require(response).body, as: UTF8.self)
            for (key, _) in WebPhrase.forScripts { #expect(text.contains("\n  \(key): \"")) }
            for (area, phrase) in PaperPhrase.areas {
                let title = Words<PaperPhrase>(language).say(phrase)
                #expect(text.contains(" \(area): \"\(title)\","))
            }
            // The scripts fill in the arguments.
            for argument in ["title", "number", "clock", "count", "done", "name", "reason"] {
                #expect(text.contains("{\(argument)}"), "\(argument)")
            }
        }
    }

    @Test func `pages don't start with a file that is missing or altered`() throws {
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "steward-web-\(UUID().uuidString)")
        try FileManager.default.copyItem(atPath: Self.folder, toPath: copy.path)
        defer { try? FileManager.default.removeItem(at: copy) }
        let settings = ["STEWARD_WEB_FILES": copy.path]
        _ = try WebFiles.shelf(settings)

        let script = copy.appending(path: "live.js")
        let text = try String(contentsOf: script, encoding: .utf8)
        try (text + " ").write(to: script, atomically: true, encoding: .utf8)
        #expect(throws: ConfigurationError.self) { try WebFiles.shelf(settings) }
        try FileManager.default.removeItem(at: script)
        #expect(throws: ConfigurationError.self) { try WebFiles.shelf(settings) }
        try text.write(to: script, atomically: true, encoding: .utf8)
        _ = try WebFiles.shelf(settings)
    }

    @Test(arguments: ["Web", "", "/nowhere"])
    func `a folder without the files of the pages is refused`(folder: String) {
        #expect(throws: ConfigurationError.self) {
            try WebFiles.shelf(["STEWARD_WEB_FILES": folder])
        }
    }
}
