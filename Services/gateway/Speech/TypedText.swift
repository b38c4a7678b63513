/// Text as it is typed on a command line.
extension String {
    /// The text as one word of a command line, in quotes if it needs them.
    package var asWord: String {
        let plain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), 128...:
                true
            default: false
            }
        }
        return plain && !isEmpty && !hasPrefix("-") ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

/// Ids as lists show them: only their beginnings, which commands accept.
package enum ShortID {
    /// The number of characters that distinguish the ids; at least eight.
    package static func length(telling ids: [String]) -> Int {
        let ids = Array(Set(ids)).sorted()
        var length = 8
        for (one, next) in zip(ids, ids.dropFirst()) {
            length = max(length, zip(one, next).prefix { $0 == $1 }.count + 1)
        }
        return length
    }
}
