import Foundation

/// The address of a calendar: an `http`, `https` or `webcal` URL. All of it is secret: on many
/// servers anyone who knows it may read the calendar.
package struct CalendarAddress: Hashable, Sendable {
    /// Why a text isn't the address of a calendar. It doesn't repeat the text.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The maximum number of bytes of an address.
    package static let longest = 2_000

    /// The whole URL, with the user and the password.
    package let text: String
    /// The part of it that may be shown, such as `https://calendar.example.org`.
    package let server: String
    /// The name or address of the host in lower case, without the brackets of IPv6.
    package let host: String
    /// Whether the connection is encrypted.
    package let isEncrypted: Bool
    private let user: String?
    private let password: String?

    /// Reads an address.
    ///
    /// - Throws: ``Fault`` when it isn't valid.
    package init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https", "webcal"].contains(scheme),
            let host = parts.host, !host.isEmpty, host.utf8.count <= 255,
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else {
            throw Fault(
                description: "this is not the address of a calendar; write an https URL of at "
                    + "most \(Self.longest) bytes, e.g. https://calendar.example.org/kari.ics")
        }
        // The fragment is for browsers, and the scheme webcal is for calendar programs.
        parts.fragment = nil
        parts.scheme = scheme == "webcal" ? "https" : scheme
        guard let whole = parts.string else {
            throw Fault(description: "this is not the address of a calendar")
        }
        self.text = whole
        isEncrypted = parts.scheme == "https"
        (user, password) = (parts.percentEncodedUser, parts.percentEncodedPassword)
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        let port = parts.port.map { ":\($0)" } ?? ""
        server = "\(parts.scheme ?? "")://\(host.lowercased())\(port)"
    }

    /// Where a server with this address redirects to. The credentials aren't passed on.
    ///
    /// - Throws: ``Fault`` when it isn't a valid address.
    package func redirected(to text: String) throws(Fault) -> CalendarAddress {
        let next = try CalendarAddress(text)
        guard next.server == server, next.user == nil, user != nil,
            var parts = URLComponents(string: next.text)
        else { return next }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (user, password)
        return try CalendarAddress(parts.string ?? next.text)
    }
}
