/// The address of a Redmine server, and of things on it.
package struct RedmineAddress: Hashable, Sendable {
    /// The address without a slash at its end, such as `https://example.org/redmine`.
    package let text: String
    /// True if nobody on the network can read what is sent.
    package let isEncrypted: Bool
    /// The host, such as `example.org`; an IPv6 address is in brackets.
    package let host: String

    /// Reads the address that a person has typed.
    ///
    /// - Throws: a fault that says what is wrong with it.
    package init(_ typed: String) throws(RedmineFault) {
        guard typed.utf8.count <= 500 else {
            throw RedmineFault("the address has more than 500 bytes")
        }
        let form =
            #/
            (https?) :// ( \[ [0-9a-fA-F:.]{2,45} \] | [A-Za-z0-9.\-]{1,253} ) ( : [0-9]{1,5} )?
            ( (?: / [A-Za-z0-9._~\-]{1,100} )* ) /?
            /#
        guard let match = typed.wholeMatch(of: form) else {
            throw RedmineFault(
                "“\(typed.prefix(100))” is not the address of a server; write it like "
                    + "https://redmine.example.org")
        }
        if let port = match.3?.dropFirst(), !(1...65_535).contains(Int(port) ?? 0) {
            throw RedmineFault("there is no port \(port)")
        }
        host = match.2.lowercased()
        isEncrypted = match.1 == "https"
        text = "\(match.1)://\(host)\(match.3 ?? "")\(match.4)"
    }

    /// The address of something at the server.
    ///
    /// - Parameters:
    ///   - path: such as `/issues.json`.
    ///   - query: names and values, which are encoded here: a server answers a raw `>` with an
    ///     empty error.
    package func of(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> String {
        guard !query.isEmpty else { return text + path }
        let parts = query.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
        return text + path + "?" + parts.joined(separator: "&")
    }

    /// A text with everything encoded that isn't unreserved (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
