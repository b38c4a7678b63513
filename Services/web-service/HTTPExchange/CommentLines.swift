/// The comments of scripts and styles, which browsers don't need: without them a page has a quarter
/// fewer bytes.
enum CommentLines {
    /// Empties the lines of a file that have nothing but a comment. The others keep their numbers,
    /// which browsers name when something fails.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: its name. Other files than scripts and styles stay as they are.
    /// - Returns: the file as it was if it isn't certain what in it is a comment.
    static func emptied(_ bytes: [UInt8], of name: String) -> [UInt8] {
        let isScript = name.hasSuffix(".js")
        guard isScript || name.hasSuffix(".css"),
            let text = String(validating: bytes, as: UTF8.self)
        else { return bytes }
        var lines: [Substring] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            if isInside || code.hasPrefix("/*") {
                let rest = isInside ? code : code.dropFirst(2)
                guard let end = rest.firstRange(of: "*/") else {
                    isInside = true
                    lines.append("")
                    continue
                }
                if end.upperBound == rest.endIndex {
                    isInside = false
                    lines.append("")
                    continue
                }
                guard !isInside else { return bytes }
            }
            if isScript, code.hasPrefix("//") {
                lines.append("")
                continue
            }
            // A text of several lines may have one that looks like a comment.
            guard !isScript || code.count(where: { $0 == "`" }).isMultiple(of: 2) else {
                return bytes
            }
            lines.append(line)
        }
        return isInside ? bytes : Array(lines.joined(separator: "\n").utf8)
    }
}
