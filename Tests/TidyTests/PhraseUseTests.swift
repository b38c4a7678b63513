import Foundation
import Testing

/// The phrases of `Shared/Phrases`, and where they are used.
struct PhraseUseTests {
    /// A key with the name of its case.
    private struct Key {
        let subject: String
        let name: String
        /// Its raw value, if that differs from the name of the case.
        let raw: String
        /// The first part of its raw value, if code builds the key from it.
        let family: String?
    }

    private static func keys(of file: TextFile) -> [Key] {
        file.search.lines(having: ["    case "]).filter { $0.text.hasPrefix("    case ") }.flatMap {
            $0.text.dropFirst("    case ".count).split(separator: ", ").map { part in
                let words = part.split(separator: " = ")
                let raw = words.count == 2 ? String(words[1].replacing("\"", with: "")) : ""
                let family = raw.contains(".") ? raw.split(separator: ".").first : nil
                return Key(
                    subject: file.name, name: String(words[0]), raw: raw,
                    family: family.map { String($0) })
            }
        }
    }

    @Test func `every phrase is used`() {
        let subjects = Repository.swift.filter {
            $0.path.hasPrefix("Shared/Phrases/") && $0.name.hasSuffix("Phrase.swift")
        }
        #expect(subjects.count >= 3)
        let speakers = Repository.swift.filter {
            !$0.isTest && !subjects.map(\.path).contains($0.path)
                && ($0.imports.contains("Phrases") || $0.path.hasPrefix("Shared/Phrases/"))
        }
        let asked = Set(
            speakers.flatMap { file in
                file.search.wordsAfterDots.map { String($0) }
            })
        let families = Set(
            speakers.flatMap { file in
                file.search.pieces(after: "family: \"", until: "\"").map { String($0) }
            })
        // The actions that come with Steward are named in their own file.
        let library = Repository.files.filter { $0.name == "library.txt" }
        let listed = Set(
            library.flatMap { file in
                file.lines.compactMap { $0.split(separator: " ").first.map { String($0) } }
            })
        // The scripts of pages name their phrases without the beginning of the key.
        let scripts = Repository.files.filter { $0.path.hasSuffix(".js") }
        let said = Set(
            scripts.flatMap { file in
                file.search.pieces(after: "say(\"", until: "\"").map { "script.\($0)" }
            })
        #expect(said.count >= 20)
        let silent = subjects.flatMap(Self.keys).filter { key in
            !asked.contains(key.name) && !listed.contains(key.raw) && !said.contains(key.raw)
                && !(key.family.map(families.contains) ?? false)
        }
        #expect(silent.map { "\($0.subject): \($0.name)" } == [])
    }
}
