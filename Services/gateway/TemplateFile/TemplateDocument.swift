import Yams

/// The single YAML document of a template file, safe to traverse.
enum TemplateDocument {
    /// The outermost value of a file's bytes.
    static func root(of bytes: [UInt8]) throws(TemplateFileError) -> Entry {
        guard bytes.count <= TemplateLimits.bytes else {
            throw TemplateFileError(
                line: 0, "has more than \(TemplateLimits.bytes / 1_024) KiB",
                cure: "split the checklist into several")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let unmarked = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: unmarked, as: UTF8.self) else {
            throw TemplateFileError(line: 0, "is not UTF-8 text", cure: "save it as UTF-8")
        }
        if let line = lineOfAlias(in: text.utf8) { throw .alias(line: line) }
        guard let node = try compose(text) else {
            throw TemplateFileError(
                line: 0, "is empty", cure: "begin it with: checklist: NAME")
        }
        return try Entry(node)
    }

    private static func compose(_ text: String) throws(TemplateFileError) -> Node? {
        do {
            return try Yams.compose(yaml: text, .default, .default, .utf8)
        } catch let error as YamlError {
            throw TemplateFileError(error, in: text)
        } catch {
            throw TemplateFileError(line: 0, "is not YAML: \(error)", cure: "mend the file")
        }
    }

    /// The line of the first `*name` whose `&name` is in the file too; nil if there is none.
    ///
    /// Yams follows aliases while it searches for duplicate keys, so a few lines of aliases to
    /// aliases would keep it busy forever. They have to be found before it begins; hardly anyone
    /// writes both in prose.
    static func lineOfAlias(in text: String.UTF8View) -> Int? {
        let bytes = Array(text)
        var line = 1
        var anchors: Set<ArraySlice<UInt8>> = []
        var aliases: [(name: ArraySlice<UInt8>, line: Int)] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "&"): anchors.insert(name(behind: index, in: bytes))
            case UInt8(ascii: "*"): aliases.append((name(behind: index, in: bytes), line))
            default: break
            }
        }
        return aliases.first { !$0.name.isEmpty && anchors.contains($0.name) }?.line
    }

    /// The letters, digits, `-` and `_` that follow, which form a name in YAML.
    private static func name(behind index: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[(index + 1)...].prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension TemplateFileError {
    static func alias(line: Int) -> Self {
        Self(
            line: line, "anchors and aliases (&name, *name) are not allowed",
            cure: "write the value where it is meant")
    }

    /// An error of the YAML parser in the form of our own.
    init(_ error: YamlError, in text: String) {
        let cure = "fix the indentation, the quotes or the colon there"
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            self.init(line: mark.line, "is not YAML: \(problem)", cure: cure)
        case .composer(_, let problem, let mark, _):
            self.init(
                line: mark.line, "is not one YAML document: \(problem)",
                cure: "keep one checklist in a file, without --- inside and without aliases")
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(
                line: context.mark.line, key: keys.first, "the key occurs twice",
                cure: "remove one of them")
        case .reader(let problem, let offset, _, _):
            let before = text.utf8.prefix(offset ?? 0)
            self.init(
                line: before.count { $0 == UInt8(ascii: "\n") } + 1, "is not YAML: \(problem)",
                cure: "remove the character that can't be seen there")
        default:
            self.init(line: 0, "is not YAML", cure: cure)
        }
    }
}
