/// A file of phrases: a line for each, `key = text with {places}`. Empty lines, and lines that
/// begin with `#`, say nothing.
struct PhraseFile {
    /// The texts, by key.
    private(set) var texts: [String: String] = [:]
    /// The lines, from 1, that are no phrase, or one that was there before.
    private(set) var faults: [Int] = []

    init(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        texts.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated() {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, parts[0].last == UInt8(ascii: " "),
                parts[1].first == UInt8(ascii: " "), parts[1].count > 1
            else {
                faults.append(index + 1)
                continue
            }
            let key = String(decoding: parts[0].dropLast(), as: UTF8.self)
            let text = String(decoding: parts[1].dropFirst(), as: UTF8.self)
            if texts.updateValue(text, forKey: key) != nil { faults.append(index + 1) }
        }
    }
}
