import ArgumentParser
import Dates
import Speech

/// Words that are not a command or an option, and what may have been meant.
enum Mistyped {
    /// Joins each option with a value that begins with a minus into one word, `--width=-900`: the
    /// argument parser would mistake the value for another option, and report that this one has no
    /// value.
    static func joiningNegatives(_ words: [String]) -> [String] {
        var joined: [String] = []
        for word in words {
            if word.prefixMatch(of: /-[0-9.]/) != nil, let option = joined.last,
                option.wholeMatch(of: /--[a-z][a-z-]*/) != nil
            {
                joined[joined.count - 1] = option + "=" + word
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// The words of the command line.
    ///
    /// - Throws: ``Failure`` that names the word that is not UTF-8, which would become another
    ///   name.
    static func words(_ arguments: [[UInt8]]) throws(Failure) -> [String] {
        var words: [String] = []
        for (index, bytes) in arguments.enumerated() {
            guard let word = String(validating: bytes, as: UTF8.self) else {
                throw Failure(
                    .usage, "argument \(index + 1) isn't text in UTF-8",
                    advice: "it begins “\(String(decoding: bytes.prefix(40), as: UTF8.self))”")
            }
            words.append(word)
        }
        return words
    }

    /// The failure for a word that is where a command should be; nil if that isn't the mistake.
    static func failure(_ words: some Sequence<String>) -> Failure? {
        var command: any ParsableCommand.Type = Steward.self
        var path = "steward"
        // After `help` only a command can follow.
        let isHelp = words.first { _ in true } == "help"
        for word in words.dropFirst(isHelp ? 1 : 0) {
            let known = command.configuration.subcommands
            if isHelp, known.isEmpty, !word.hasPrefix("-") {
                return Failure(
                    .usage, "“\(word)” is not a command of \(path)", advice: "see \(path) --help")
            }
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = known.first(where: { $0._commandName == word }) else {
                guard command.configuration.defaultSubcommand == nil else { return nil }
                return Failure(
                    .usage, "“\(word)” is not a command of \(path)",
                    advice: advice(word, among: known.map { $0._commandName }, of: path))
            }
            command = next
            path += " " + word
        }
        return nil
    }

    /// Advice to quote words that belong together, such as a name that the shell took apart; nil
    /// if that can't be the mistake.
    ///
    /// - Parameter message: what the argument parser says is wrong.
    static func quoting(_ words: [String], _ message: String) -> String? {
        guard
            let unexpected = message.firstMatch(of: /nexpected arguments?:? '([^'\n]+)'/)?.1,
            let rest = Steward.leaf(of: words)?.rest,
            let index = words.indices.suffix(rest.count).dropFirst().first(where: {
                words[$0] == unexpected && !words[$0 - 1].hasPrefix("-")
            })
        else { return nil }
        let others = words[index...].prefix { !$0.hasPrefix("-") }
        let name = ([words[index - 1]] + others).joined(separator: " ")
        // Numbers, as of several issues, are no name.
        guard name.count <= 80, !name.contains("'"), name.contains(where: \.isLetter) else {
            return nil
        }
        return "put words that belong together in quotes: '\(name)'"
    }

    /// Advice on how to write a day; nil if what is wrong doesn't look like one.
    ///
    /// - Parameter message: what the argument parser says is wrong.
    static func dating(_ message: String) -> String? {
        guard let value = message.firstMatch(of: /The value '([^'\n]{1,40})' is invalid/)?.1,
            value.wholeMatch(of: /\d{1,4}([-.\/]) ?\d{1,2}\1 ?\d{1,4}/) != nil,
            // Where a length of time is wanted, a day is wrong however it is written.
            CivilDate(iso: value) == nil
        else { return nil }
        return value.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil
            ? "there is no such day" : "a day is written as 2026-03-31, or today or tomorrow"
    }

    /// The command that may be meant, and how to list all of them.
    static func advice(
        _ typed: String, among names: some Sequence<String>, of path: String
    ) -> String {
        if let meant = otherwise[path + " " + typed] { return "it is " + meant }
        let near = names.map { (distance($0, typed), $0) }
            .filter { Choice.isNear($0.0, typed) }.min { $0 < $1 }
        return (near.map { "did you mean \($0.1)? " } ?? "") + "all: \(path) --help"
    }

    /// What people look for under a name that no command has, and the command that does it.
    private static let otherwise = [
        "steward checklist untick": "steward checklist tick TASK --clear",
        "steward checklist uncheck": "steward checklist tick TASK --clear",
        "steward checklist clear": "steward checklist tick TASK --clear",
        "steward checklist check": "steward checklist tick TASK",
        "steward checklist mark": "steward checklist tick TASK",
    ]

    /// The number of letters that have to be changed, added, removed, or swapped with the next one
    /// to turn one word into the other (optimal string alignment: the Damerau-Levenshtein distance
    /// in which no letter is changed twice).
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, wanted) in other.enumerated() {
                var least = min(rows[i][j + 1], row[j]) + 1
                least = min(least, rows[i][j] + (letter == wanted ? 0 : 1))
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == wanted {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
