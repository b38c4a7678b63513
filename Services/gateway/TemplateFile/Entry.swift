import Yams

/// One value of a template file, with its line.
struct Entry {
    /// The kinds of values.
    enum Value {
        case text(String)
        case list([Entry])
        /// Keys with their values, in the order of the file.
        case keys([(key: String, line: Int, value: Entry)])
    }

    let line: Int
    let value: Value

    /// The value with everything in it. Aliases were refused: see `TemplateDocument`.
    init(_ node: Node) throws(TemplateFileError) {
        line = node.mark?.line ?? 0
        switch node {
        case .scalar(let scalar):
            value = .text(scalar.string)
        case .sequence(let sequence):
            var items: [Entry] = []
            for item in sequence { items.append(try Entry(item)) }
            value = .list(items)
        case .mapping(let mapping):
            var pairs: [(key: String, line: Int, value: Entry)] = []
            for (key, content) in mapping {
                let line = key.mark?.line ?? self.line
                guard case .scalar(let name) = key else {
                    throw TemplateFileError(
                        line: line, "a list or a map can't be a key", cure: "put a word there")
                }
                guard !pairs.contains(where: { $0.key == name.string }) else {
                    throw TemplateFileError(
                        line: line, key: name.string, "the key occurs twice",
                        cure: "remove one of them")
                }
                pairs.append((name.string, line, try Entry(content)))
                // Only wrong files have more keys than this, and each key is compared with all
                // others.
                guard pairs.count <= 100 else {
                    throw TemplateFileError(
                        line: line, key: name.string, "too many keys", cure: "mend the indentation")
                }
            }
            value = .keys(pairs)
        case .alias:
            throw .alias(line: line)
        }
    }
}

/// The keys of one checklist, section or task, each at most once.
struct Fields {
    /// The line where it begins.
    let line: Int
    private let pairs: [(key: String, line: Int, value: Entry)]

    /// The keys of a value, which must be a map without other keys than `known`.
    init(_ entry: Entry, of what: String, keys known: [String]) throws(TemplateFileError) {
        guard case .keys(let pairs) = entry.value else {
            throw TemplateFileError(
                line: entry.line, "a \(what) is expected here",
                cure: "write its keys, beginning with \(what):")
        }
        for pair in pairs where !known.contains(pair.key) {
            throw TemplateFileError(
                line: pair.line, key: pair.key, "a \(what) has no such key",
                cure: "use one of \(known.joined(separator: ", "))")
        }
        line = entry.line
        self.pairs = pairs
    }

    func entry(_ key: String) -> Entry? { pairs.first { $0.key == key }?.value }

    /// The line of a key, or else the line where the whole begins.
    func line(_ key: String) -> Int { pairs.first { $0.key == key }?.line ?? line }

    func error(_ key: String, _ reason: String, cure: String) -> TemplateFileError {
        TemplateFileError(line: line(key), key: key, reason, cure: cure)
    }

    /// The text under a key; nil if the key is missing.
    func text(_ key: String, atMost limit: Int) throws(TemplateFileError) -> String? {
        guard let entry = entry(key) else { return nil }
        return try text(of: entry, key, atMost: limit)
    }

    /// A required text of one line.
    func required(_ key: String, atMost limit: Int) throws(TemplateFileError) -> String {
        guard let text = try text(key, atMost: limit), !text.isEmpty else {
            throw error(key, "is missing", cure: "write \(key): and what it is called")
        }
        return text
    }

    func text(
        of entry: Entry, _ key: String, atMost limit: Int
    ) throws(TemplateFileError) -> String {
        guard case .text(let text) = entry.value else {
            throw TemplateFileError(
                line: entry.line, key: key, "a text is expected",
                cure: "write it behind the colon, in quotation marks if it begins with [ or {")
        }
        guard text.count <= limit, text.utf8.count <= 8 * limit else {
            throw TemplateFileError(
                line: entry.line, key: key, "is longer than \(limit) characters",
                cure: "say it shorter")
        }
        let isNote = key == "note"
        guard !text.unicodeScalars.contains(where: { $0.isControl && !(isNote && $0 == "\n") })
        else {
            throw TemplateFileError(
                line: entry.line, key: key, "has a line break or a control character",
                cure: "remove it")
        }
        return text
    }

    /// A flag; false if the key is missing.
    func flag(_ key: String) throws(TemplateFileError) -> Bool {
        switch try text(key, atMost: 20)?.lowercased() {
        case nil, "false", "no": return false
        case "true", "yes": return true
        case .some(let word):
            throw error(key, "“\(word)” is neither true nor false", cure: "write true or false")
        }
    }

    /// The entries of a list; empty if the key is missing.
    func list(_ key: String) throws(TemplateFileError) -> [Entry] {
        guard let entry = entry(key) else { return [] }
        guard case .list(let entries) = entry.value else {
            throw error(key, "a list is expected", cure: "begin each of its entries with a dash")
        }
        return entries
    }
}

extension Unicode.Scalar {
    /// True for control characters, and for those that change the direction of the text around
    /// them.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
