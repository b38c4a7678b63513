import Bus
import Foundation
import Messages

/// The rules of a channel: what it may be, what it delivers, and when it is tried again.
extension AlertChannel {
    /// The kinds of the alerts that report a failing channel, and of those that test a channel.
    static let (failingKind, testKind) = ("channel.failing", "channel.test")
    /// The maximum number of channels of a person.
    static let most = 10
    /// The maximum number of bytes of an address.
    static let longestAddress = 2_000
    /// The maximum number of bytes of a secret.
    static let longestSecret = 1_000
    /// How long to wait after the first failure, in milliseconds; doubled after each further one.
    static let shortestWait: Int64 = 5_000
    /// The maximum time to wait after a failure, in milliseconds.
    static let longestWait: Int64 = 600_000
    /// How long every attempt must have failed before its owner is alerted, in milliseconds.
    static let patience: Int64 = 600_000
    /// The number of failures of a channel after which the spare ones deliver what isn't urgent.
    static let failuresBeforeSpare = 3

    /// True if the channel delivers alerts of a severity. It delivers unknown severities: nothing
    /// is held back unless somebody asked for it.
    func delivers(_ severity: Severity) -> Bool {
        guard let own = Alert.severities.firstIndex(of: severity) else { return true }
        let least = Alert.severities.firstIndex(of: from) ?? 0
        let most = Alert.severities.firstIndex(of: upTo) ?? Alert.severities.count - 1
        return (least...max(least, most)).contains(own)
    }

    /// True unless the lowest severity is above the highest.
    var severitiesAreInOrder: Bool {
        let places = [from, upTo].map { Alert.severities.firstIndex(of: $0) ?? 0 }
        return places[0] <= places[1]
    }

    /// Sets the severities that a person asked for. A severity that isn't given stays as it was;
    /// for a new channel it means any.
    mutating func setSeverities(_ wish: AlertChannel) {
        from = wish.from == .unspecified ? from : wish.from
        upTo = wish.upTo == .unspecified ? upTo : wish.upTo
        if from == .unspecified { from = .info }
        if upTo == .unspecified { upTo = .urgent }
    }

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` that says what is wrong.
    func validate(secret: String?) throws(Refusal) {
        try validateName(name, of: "a channel")
        guard name != "mail" else { throw .invalid("a channel can't be called “mail”") }
        for severity in [from, upTo] {
            if case .unrecognized = severity {
                throw .invalid("a channel delivers info, warning or urgent alerts")
            }
        }
        guard [.webhook, .ntfy, .gotify, .mqtt].contains(kind) else {
            throw .invalid("a channel is a webhook, ntfy, Gotify or MQTT")
        }
        let address = try ChannelAddress(address)
        guard address.isBroker == (kind == .mqtt) else {
            throw .invalid(
                kind == .mqtt
                    ? "the address of an MQTT topic begins with mqtt:// or mqtts://"
                    : "the address of a web server begins with https:// or http://")
        }
        if kind == .mqtt { try address.validateTopic() }
        if kind == .ntfy, address.topic == nil {
            throw .invalid(
                "the address of an ntfy topic ends with its name, e.g. https://ntfy.sh/my-alerts")
        }
        guard let secret else { return }
        guard kind != .mqtt || secret.isEmpty || secret.contains(":") else {
            throw .invalid("the secret of an MQTT broker is USER:PASSWORD")
        }
        guard secret.utf8.count <= Self.longestSecret,
            secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw .invalid(
                "a secret has at most \(Self.longestSecret) ASCII letters, digits and signs, "
                    + "without spaces")
        }
    }

    /// True if the channel notifies a program rather than a person. A program also gets each change
    /// and the end.
    var isForProgram: Bool { kind == .webhook || kind == .mqtt }

    /// Records that a delivery was accepted.
    mutating func succeed(at now: Int64) {
        (delivered, failingSince, failures, error) = (now, 0, 0, "")
    }

    /// Records that an attempt has failed.
    ///
    /// - Parameters:
    ///   - reason: why.
    ///   - pause: how long the server asks to wait, in seconds; 0 if it doesn't say.
    ///   - now: the present time in milliseconds since 1970.
    /// - Returns: when to try again.
    mutating func fail(_ reason: String, pause: Int, at now: Int64) -> Int64 {
        // A later time was recorded before the clock was set back.
        if failures == 0 || failingSince > now { failingSince = now }
        failures = failures == .max ? .max : failures + 1
        error = reason.prefix(bytes: 500)
        let doublings = min(Int64(failures) - 1, 16)
        let wait = min(Self.shortestWait << doublings, Self.longestWait)
        return now + max(wait, Int64(min(pause, 3_600)) * 1000)
    }

    /// True if the channel has failed so often that the spare ones deliver alerts of a severity.
    func isLate(for severity: Severity) -> Bool { Self.isLate(after: failures, for: severity) }

    /// True if a channel or mail that has failed this often in a row is too late for alerts of a
    /// severity.
    static func isLate(after failures: UInt32, for severity: Severity) -> Bool {
        Int(failures) >= (severity == .urgent ? 1 : failuresBeforeSpare)
    }

    /// True when the owner should be told that the channel doesn't work.
    func isDead(at now: Int64) -> Bool {
        Int(failures) >= Self.failuresBeforeSpare && now - failingSince >= Self.patience
    }
}

/// The address of a channel: an `http`, `https`, `mqtt` or `mqtts` URL without user, password or
/// fragment.
struct ChannelAddress: Hashable {
    /// The whole URL.
    let text: String
    /// The name or address of the host, without the brackets of IPv6.
    let host: String
    /// The URL without the last part of its path.
    let server: String
    /// The last part of the path; nil if it is empty.
    let topic: String?
    /// True if it is the address of an MQTT broker.
    let isBroker: Bool
    /// True if the connection is encrypted.
    let isEncrypted: Bool
    /// The TCP port, if one is given.
    let port: Int?
    /// The whole path, without slashes around it.
    let path: String

    /// Reads an address.
    ///
    /// - Throws: a `Refusal` when it isn't valid.
    init(_ text: String) throws(Refusal) {
        let wrong = Refusal.invalid(
            "“\(text.prefix(100))” is not the address of a channel; write an https or mqtts URL of "
                + "at most \(AlertChannel.longestAddress) bytes, e.g. https://ntfy.sh/my-alerts")
        guard text.utf8.count <= AlertChannel.longestAddress,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let parts = URLComponents(string: text),
            ["http", "https", "mqtt", "mqtts"].contains(parts.scheme),
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
        isBroker = parts.scheme?.hasPrefix("mqtt") ?? false
        isEncrypted = ["https", "mqtts"].contains(parts.scheme)
        port = parts.port
        self.path = String(parts.path.trimmingSuffix("/").drop { $0 == "/" })
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        server = isInPath ? String(path[..<slash]) : String(path)
        topic = isInPath ? String(path[path.index(after: slash)...]) : nil
    }
}

extension ChannelAddress {
    /// The maximum number of bytes of an MQTT topic.
    private static let longestTopic = 500

    /// Validates that the path is a topic that can be published to.
    fileprivate func validateTopic() throws(Refusal) {
        guard (1...Self.longestTopic).contains(path.utf8.count), !path.contains("+"),
            !path.contains("#"), !path.hasPrefix("$"), !text.contains("?")
        else {
            throw .invalid(
                "the address of an MQTT topic ends with its name, without + and #, "
                    + "e.g. mqtt://broker.lan/kitchen/siren")
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ letter: Character) -> SubSequence {
        var rest = self[...]
        while rest.last == letter { rest.removeLast() }
        return rest
    }
}
