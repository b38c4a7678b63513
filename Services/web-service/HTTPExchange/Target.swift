import Texts

/// The path of a request and its query, decoded.
public struct Target: Sendable, Hashable {
    /// The most bytes of a path with its query.
    public static let longest = 8192
    /// The most parts of a path.
    static let mostParts = 16

    /// The parts of the path between slashes, decoded; none for `/`.
    public let parts: [String]
    /// The fields after the question mark.
    public let query: Fields

    /// Reads what a request names.
    ///
    /// - Returns: nil when it isn't a path, is not encoded correctly, or could mean another path to
    ///   another program: with `.` or `..`, an empty part, or a slash or a control character that
    ///   is hidden in the encoding.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.first == UInt8(ascii: "/") else {
            return nil
        }
        let halves = text.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard !halves[0].contains(UInt8(ascii: "#")) else { return nil }
        var parts: [String] = []
        if halves[0].count > 1 {
            for raw in halves[0].dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            {
                guard let part = Self.decoded(Array(raw), plusIsSpace: false), !part.isEmpty,
                    part != ".", part != "..", !part.utf8.contains(UInt8(ascii: "/")),
                    !part.utf8.contains(UInt8(ascii: "\\")),
                    part.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
                else { return nil }
                parts.append(part)
            }
        }
        guard parts.count <= Self.mostParts else { return nil }
        guard let query = Fields(halves.count > 1 ? Array(halves[1]) : []) else { return nil }
        (self.parts, self.query) = (parts, query)
    }

    /// The path of this server that a text names, with its query, for leading a person on after a
    /// log-in; nil for anything that a browser could take for another server.
    public static func local(_ text: String) -> String? {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), Target(text) != nil,
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }

    /// Decodes what was written with percent signs; nil when it is not UTF-8, not encoded
    /// correctly, or slow to compare.
    static func decoded(_ bytes: [UInt8], plusIsSpace: Bool) -> String? {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                    let low = digit(bytes[index + 2])
                else { return nil }
                plain.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                plain.append(UInt8(ascii: " "))
                index += 1
            case let byte:
                plain.append(byte)
                index += 1
            }
        }
        guard let text = String(validating: plain, as: UTF8.self), !text.hasEndlessMarks else {
            return nil
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    /// A text as one part of a path or a value of a query.
    public static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126:
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                out += "%"
                out.unicodeScalars.append(digits[Int(byte >> 4)])
                out.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
        return out
    }
}

/// The fields of a form or a query, in their order.
public struct Fields: Sendable, Hashable {
    /// The most fields that are read.
    static let most = 100

    private var all: [[String]]

    /// Reads fields; nil when they are not encoded correctly, or too many.
    public init?(_ bytes: [UInt8]) {
        var all: [[String]] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard all.count < Self.most,
                let name = Target.decoded(Array(halves[0]), plusIsSpace: true),
                let value = Target.decoded(
                    halves.count > 1 ? Array(halves[1]) : [], plusIsSpace: true)
            else { return nil }
            all.append([name, value])
        }
        self.all = all
    }

    /// The value of the only field with a name; nil when there is none, or several.
    public subscript(_ name: String) -> String? {
        let found = all.filter { $0[0] == name }
        return found.count == 1 ? found[0][1] : nil
    }

    /// The fields as they are written in an address; empty for none.
    public var encoded: String {
        all.map { Target.encoded($0[0]) + "=" + Target.encoded($0[1]) }.joined(separator: "&")
    }

    /// The fields without those with a name.
    public func without(_ name: String) -> Fields {
        var others = self
        others.all.removeAll { $0[0] == name }
        return others
    }

    /// The names of the fields.
    public var names: [String] { all.map { $0[0] } }
}
