/// A file of phrases, one a line: `key = text with {places}`. Empty lines and lines that begin with
/// `#` are ignored.
struct PhraseFile {
    /// The texts, by key.
    private(set) var texts: [String: String] = [:]
    /// The numbers, from 1, of the lines that are not phrases or repeat a key.
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
