import Bus
import Foundation
import Messages

/// The rules of a channel: what it may be, what it delivers, and when it is tried again.
extension AlertChannel {
    /// The kinds of the alerts about channels: that one fails, and that one is tried.
    static let (failingKind, testKind) = ("channel.failing", "channel.test")
    /// Most channels of a person.
    static let most = 10
    /// Most bytes of an address.
    static let longestAddress = 2_000
    /// Most bytes of a secret.
    static let longestSecret = 1_000
    /// How long to wait after the first failure, in milliseconds; doubled after each further one.
    static let shortestWait: Int64 = 5_000
    /// The maximum time to wait after a failure, in milliseconds.
    static let longestWait: Int64 = 600_000
    /// How long every attempt must have failed before its owner is alerted, in milliseconds.
    static let patience: Int64 = 600_000
    /// The most failures of one channel after which the spare ones deliver what isn't urgent.
    static let failuresBeforeSpare = 3

    /// The lowest severity that it delivers.
    var least: Severity { Alert.severities.contains(from) ? from : .urgent }

    /// Checks what a person has asked for.
    ///
    /// - Throws: a `Refusal` that says what is wrong.
    func check(secret: String?) throws(Refusal) {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
        guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy(letters.contains),
            name != "mail"
        else {
            throw .invalid(
                "“\(name.prefix(50))” can't name a channel; use 1 to 40 letters, digits, - and _, "
                    + "and not “mail”")
        }
        guard [.webhook, .ntfy, .gotify].contains(kind) else {
            throw .invalid("a channel is a webhook, ntfy or Gotify")
        }
        let address = try ChannelAddress(address)
        if kind == .ntfy, address.topic == nil {
            throw .invalid(
                "the address of an ntfy topic ends with its name, e.g. https://ntfy.sh/my-alerts")
        }
        guard let secret else { return }
        guard secret.utf8.count <= Self.longestSecret,
            secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw .invalid(
                "a secret has at most \(Self.longestSecret) letters, digits and signs of ASCII, "
                    + "without spaces")
        }
    }

    /// Records that a delivery was accepted.
    mutating func succeed(at now: Int64) {
        (delivered, failingSince, failures, error) = (now, 0, 0, "")
    }

    /// Records that an attempt has failed.
    ///
    /// - Parameters:
    ///   - reason: why.
    ///   - pause: for how long the server asks to be left alone, in seconds; 0 when it doesn't.
    ///   - now: the present time in milliseconds since 1970.
    /// - Returns: when to try again.
    mutating func fail(_ reason: String, pause: Int, at now: Int64) -> Int64 {
        if failures == 0 { failingSince = now }
        failures = failures == .max ? .max : failures + 1
        error = reason.prefix(bytes: 500)
        let doublings = min(Int64(failures) - 1, 16)
        let wait = min(Self.shortestWait << doublings, Self.longestWait)
        return now + max(wait, Int64(min(pause, 3_600)) * 1000)
    }

    /// True when its owner should hear that it does not work.
    func isDead(at now: Int64) -> Bool {
        Int(failures) >= Self.failuresBeforeSpare && now - failingSince >= Self.patience
    }
}

/// The address of a channel: an `http` or `https` URL without user, password or fragment.
struct ChannelAddress: Hashable {
    /// The whole URL.
    let text: String
    /// The name or address of the host, without the brackets of IPv6.
    let host: String
    /// The URL without the last part of its path.
    let server: String
    /// The last part of the path; nil if it is empty.
    let topic: String?

    /// Reads an address.
    ///
    /// - Throws: a `Refusal` when it is none.
    init(_ text: String) throws(Refusal) {
        let wrong = Refusal.invalid(
            "“\(text.prefix(100))” is not the address of a channel; write an http or https URL of "
                + "at most \(AlertChannel.longestAddress) bytes, e.g. https://ntfy.sh/my-alerts")
        guard text.utf8.count <= AlertChannel.longestAddress,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme),
            let host = parts.host, !host.isEmpty, parts.fragment == nil,
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw wrong }
        guard parts.user == nil, parts.password == nil else {
            throw .invalid("put the token of the server into --secret-file, not into the address")
        }
        let end = text.firstIndex { $0 == "?" } ?? text.endIndex
        let path = text[..<end].trimmingSuffix("/")
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let isInPath = !parts.path.trimmingSuffix("/").isEmpty
        self.text = text
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        server = isInPath ? String(path[..<slash]) : String(path)
        topic = isInPath ? String(path[path.index(after: slash)...]) : nil
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ letter: Character) -> SubSequence {
        var rest = self[...]
        while rest.last == letter { rest.removeLast() }
        return rest
    }
}
