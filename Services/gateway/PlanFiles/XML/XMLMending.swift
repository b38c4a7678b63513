import XMLText

/// Repairs a document whose elements are closed by `</>`, as in the sample of BoligApp's XML, which
/// no parser accepts, by inserting the names. Line numbers don't change.
struct XMLMending {
    let bytes: [UInt8]
    /// The repaired lines, counted from 1.
    let lines: [Int]

    /// The maximum number of repaired end tags; nobody wrote a plan with more.
    private static let most = 10_000

    /// Nil if there is nothing to repair.
    init?(_ source: [UInt8]) {
        var mending = Mending(source: source)
        guard mending.hasNamelessEnd, mending.run() else { return nil }
        bytes = mending.mended
        lines = mending.lines
    }

    private struct Mending {
        let source: [UInt8]
        var mended: [UInt8] = []
        var lines: [Int] = []
        var at = 0
        var line = 1
        var open: [ArraySlice<UInt8>] = []

        /// True if there is a `</>` anywhere.
        var hasNamelessEnd: Bool {
            source.withUnsafeBufferPointer { bytes in
                bytes.indices.dropLast(2).contains {
                    bytes[$0] == UInt8(ascii: "<") && bytes[$0 + 1] == UInt8(ascii: "/")
                        && bytes[$0 + 2] == UInt8(ascii: ">")
                }
            }
        }

        /// Copies the source and inserts the names; false if it can't be followed, in which case
        /// the parser reports the error better.
        mutating func run() -> Bool {
            while at < source.count {
                guard source[at] == UInt8(ascii: "<") else {
                    copy(to: at + 1)
                    continue
                }
                let ok =
                    if starts("<!--") {
                        copy(past: "-->")
                    } else if starts("<![CDATA[") {
                        copy(past: "]]>")
                    } else if starts("<?") {
                        copy(past: "?>")
                    } else if starts("</") {
                        copyEnd()
                    } else {
                        copyTag()
                    }
                guard ok, open.count <= XMLScanner.deepest, lines.count <= XMLMending.most else {
                    return false
                }
            }
            return !lines.isEmpty
        }

        func starts(_ text: StaticString) -> Bool {
            source[at...].starts(
                with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        mutating func copy(to end: Int) {
            for byte in source[at..<end] {
                if byte == UInt8(ascii: "\n") { line += 1 }
                mended.append(byte)
            }
            at = end
        }

        mutating func copy(past text: StaticString) -> Bool {
            while at < source.count {
                if starts(text) {
                    copy(to: at + text.utf8CodeUnitCount)
                    return true
                }
                copy(to: at + 1)
            }
            return false
        }

        mutating func copyEnd() -> Bool {
            guard let end = source[at...].firstIndex(of: UInt8(ascii: ">")),
                let name = open.popLast()
            else { return false }
            if end == at + 2 {
                lines.append(line)
                mended += Array("</".utf8) + name + [UInt8(ascii: ">")]
                at = end + 1
            } else {
                copy(to: end + 1)
            }
            return true
        }

        mutating func copyTag() -> Bool {
            var quote: UInt8?
            var end = at + 1
            while end < source.count {
                let byte = source[end]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    break
                }
                end += 1
            }
            guard end < source.count else { return false }
            let tag = source[at + 1..<end]
            if tag.last != UInt8(ascii: "/"), tag.first != UInt8(ascii: "!") {
                open.append(tag.prefix { ![9, 10, 13, 32].contains($0) })
            }
            copy(to: end + 1)
            return true
        }
    }
}
