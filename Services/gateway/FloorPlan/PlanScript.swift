import ArgumentParser
import Foundation
import PlanSpeech
import Speech

/// A script of plan commands: one on each line, without `steward plan`, words in quotes as in a
/// shell, and `#` before a remark.
struct PlanScript {
    /// A word of a line.
    struct Word: Hashable {
        let text: String
        /// Where it begins, counted from 1.
        let column: Int
    }

    /// A command of the script.
    struct Line {
        /// Its number, counted from 1.
        let number: Int
        let words: [Word]
        let command: any ParsableCommand
    }

    /// The name of the script in errors.
    let name: String
    /// The commands.
    let lines: [Line]

    /// The maximum size of a script, in bytes, and the maximum number of its commands.
    static let largest = 1 << 20
    static let mostCommands = 5_000

    /// The commands that a script can't use.
    private static let barred = ["run", "delete"]

    /// Parses a script and every command in it.
    ///
    /// - Parameter isJSON: true to make each command that can print JSON.
    /// - Throws: ``Failure`` that names line and column of the first mistake.
    init(_ bytes: [UInt8], named name: String, isJSON: Bool = false) throws {
        self.name = name
        guard bytes.count <= Self.largest else {
            throw Failure(
                .refused, "\(name) is larger than \(Self.largest >> 20) MiB, which no script needs",
                advice: "cut it into several scripts")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.refused, "\(name) isn't text in UTF-8", advice: "save it as UTF-8")
        }
        // Split all lines before parsing the first: parsing takes far longer.
        var found: [(number: Int, words: [Word])] = []
        let body = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        for (index, line) in body.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        )
        .enumerated() {
            let words = try Self.words(of: line, at: index + 1, name)
            guard !words.isEmpty else { continue }
            guard found.count < Self.mostCommands else {
                throw Failure(
                    .refused,
                    "\(name):\(index + 1): a script has at most \(Self.mostCommands) commands",
                    advice: "cut it into several scripts")
            }
            found.append((index + 1, words))
        }
        lines = try found.map { number, words in
            Line(
                number: number, words: words,
                command: try Self.command(words, at: number, name, isJSON))
        }
    }

    /// An error with the place of its line.
    func failure(_ error: any Error, in line: Line) -> any Error {
        guard let failure = Failure(error) else { return error }
        return Self.failure(
            failure.sentence, failure.advice, line.words, at: line.number, name,
            failure.status == .usage ? .refused : failure.status)
    }

    // MARK: Words

    /// The words of a line, without its comment.
    static func words(of line: Substring, at number: Int, _ name: String) throws -> [Word] {
        var words: [Word] = []
        var word: (text: String, column: Int)?
        func take(_ letter: Character, at column: Int) {
            // Append in place: a word may be as long as the script.
            if word == nil { word = ("", column) }
            word?.text.append(letter)
        }
        var quote: (sign: Character, column: Int)?
        var isEscaped = false
        for (index, letter) in line.enumerated() {
            let column = index + 1
            if isEscaped {
                take(letter, at: column - 1)
                isEscaped = false
            } else if letter == "\\", quote?.sign != "'" {
                isEscaped = true
            } else if let open = quote {
                if letter == open.sign {
                    quote = nil
                } else {
                    word?.text.append(letter)
                }
            } else if letter == "'" || letter == "\"" {
                quote = (letter, column)
                word = word ?? ("", column)
            } else if letter.isWhitespace {
                if let word { words.append(Word(text: word.text, column: word.column)) }
                word = nil
            } else if letter == "#", word == nil {
                break
            } else {
                take(letter, at: column)
            }
        }
        if isEscaped {
            throw Failure(
                .refused, "\(name):\(number):\(line.count): nothing follows this backslash",
                advice: "a command is one line; say \\\\ for a backslash")
        }
        if let quote {
            throw Failure(
                .refused, "\(name):\(number):\(quote.column): this quote is not closed",
                advice: "end it with \(quote.sign) on the same line")
        }
        if let word { words.append(Word(text: word.text, column: word.column)) }
        return words
    }

    // MARK: Commands

    private static func command(
        _ words: [Word], at number: Int, _ name: String, _ isJSON: Bool
    ) throws -> any ParsableCommand {
        // A line copied from a guide may begin with these two words.
        var rest = words[...]
        if rest.count > 2, rest[0].text == "steward", rest[1].text == "plan" {
            rest = rest.dropFirst(2)
        }
        let texts = rest.map(\.text)
        let type = try known(texts[0], words: Array(rest), at: number, name)
        do {
            guard !texts.contains(where: ["-h", "--help"].contains) else {
                throw ValidationError("help is not for scripts")
            }
            // Don't parse from the root command: that takes ten times as long.
            let command = try type.parseAsRoot(
                Mistyped.joiningNegatives(Array(texts.dropFirst())))
            if let edit = command as? any PlanEditCommand, edit.options.isForOneCommand {
                throw ValidationError(
                    "--plan, --force, --id and --json are given once for the whole script, not in "
                        + "a line")
            }
            return isJSON ? printingJSON(command, texts) : command
        } catch {
            throw failure(
                oneLine(type.message(for: error)), "see steward plan \(texts[0]) --help", words,
                at: number, name, .refused)
        }
    }

    /// The same command with `--json`.
    private static func printingJSON(
        _ command: any ParsableCommand, _ texts: [String]
    ) -> any ParsableCommand {
        guard !(command is any PlanEditCommand), !texts.contains("--json") else { return command }
        do {
            return try type(of: command).parseAsRoot(
                Mistyped.joiningNegatives(texts.dropFirst() + ["--json"]))
        } catch {
            return command
        }
    }

    /// The message of the argument parser, with its list of values on the same line.
    private static func oneLine(_ text: String) -> String {
        text.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
    }

    /// The command with this name.
    ///
    /// - Throws: ``Failure`` that suggests the one that may be meant.
    private static func known(
        _ typed: String, words: [Word], at number: Int, _ name: String
    ) throws -> any ParsableCommand.Type {
        guard !barred.contains(typed) else {
            throw failure(
                "“\(typed)” can't be used in a script", "give it by itself: steward plan \(typed)",
                words, at: number, name, .refused)
        }
        if let type = byName[typed] { return type }
        throw failure(
            "“\(typed.printable)” is not a command of plans",
            Mistyped.advice(typed, among: byName.keys, of: "steward plan"), words, at: number, name,
            .refused)
    }

    private static let byName = Dictionary(
        PlanCommand.all.map { ($0._commandName, $0) }, uniquingKeysWith: { first, _ in first })

    /// The failure with line and column: those of the word that it mentions, else of the first.
    private static func failure(
        _ sentence: String, _ advice: String?, _ words: [Word], at number: Int, _ name: String,
        _ status: Ending
    ) -> Failure {
        let named = words.first { word in
            let text = word.text
            return ["'\(text)'", "'\(text) ", "“\(text)”", " \(text) ", " \(text),"].contains {
                (sentence + " ").contains($0)
            }
        }
        let column = (named ?? words.first)?.column ?? 1
        return Failure(
            status, "\(name):\(number):\(column): \(sentence.printable)", advice: advice)
    }
}
