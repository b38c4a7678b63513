import Bus
import Foundation
import HTTPExchange
import Markup
import Phrases

/// The files of the pages: those of a folder, and the words for scripts in each language.
enum WebFiles {
    /// Reads the files.
    ///
    /// - Throws: `ConfigurationError` when the folder isn't found, or `FileShelf.Fault`.
    static func shelf(_ settings: [String: String]) throws -> FileShelf {
        do { return try FileShelf(folder: folder(settings), adding: words()) } catch let fault
            as FileShelf.Fault
        {
            throw ConfigurationError(fault.description)
        }
    }

    private static func folder(_ settings: [String: String]) throws(ConfigurationError) -> String {
        if let folder = settings["STEWARD_WEB_FILES"] {
            guard folder.hasPrefix("/") else {
                throw ConfigurationError(
                    "STEWARD_WEB_FILES is “\(folder)”; it must be an absolute path")
            }
            return folder
        }
        var place = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let installed = place.deletingLastPathComponent().appending(path: "share/steward/web").path
        if FileManager.default.fileExists(atPath: installed) { return installed }
        // Otherwise search the folders above: the program may still be where it was built.
        while place.path != "/" {
            let source = place.appending(path: "Services/web-service/Web").path
            if FileManager.default.fileExists(atPath: source) { return source }
            place.deleteLastPathComponent()
        }
        throw ConfigurationError(
            "the files of the pages are not at \(installed); set STEWARD_WEB_FILES to their folder")
    }

    /// A file for each language: what scripts say, made from the same phrases as pages.
    private static func words() -> [String: String] {
        var files: [String: String] = [:]
        for language in Language.allCases {
            let words = Words<WebPhrase>(language)
            var text = "// The words of scripts in this language.\nglobalThis.words = {\n"
            for (name, phrase) in WebPhrase.forScripts {
                text += "  \(name): "
                Node.quote(words.unfilled(phrase), &text)
                text += ",\n"
            }
            text += "  areas: {"
            for (area, phrase) in PaperPhrase.areas {
                text += " \(area): "
                Node.quote(Words<PaperPhrase>(language).unfilled(phrase), &text)
                text += ","
            }
            text += " },\n"
            files["words.\(language.rawValue).js"] = text + "};\n"
        }
        return files
    }
}
