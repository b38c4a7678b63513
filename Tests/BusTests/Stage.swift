import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// A notifier with one open alert of the account that runs the tests, on a loopback port.
struct Stage {
    /// The alert's title, which a listener would search for.
    static let title = "Marker-of-the-title-7Q"

    let system: System
    let port = Loopback.port()
    var bus: String { "tcp://127.0.0.1:\(port)" }
    let service: Program

    /// - Parameters:
    ///   - isEncrypted: uses the key ring `keys`, which has the gateway `test` and the display
    ///     `screen`.
    ///   - bus: used in place of a loopback port.
    init(isEncrypted: Bool = false, bus: String? = nil, log: String = "info") throws {
        system = try System()
        var more = ["STEWARD_LOG": log]
        if isEncrypted {
            try system.makeKeys(["test": .gateway, "screen": .display])
            more["STEWARD_KEYS"] = system.path("keys")
        }
        try system.raiseAlert(Self.title, for: Self.owner)
        service = try system.launch(
            "notifier", bus: bus ?? "tcp://127.0.0.1:\(port)", adding: more)
        try service.waitUntilReady()
    }

    var ring: KeyRing { KeyRing(directory: system.path("keys")) }

    func connection(
        as process: String = "test", keys: String? = nil, port: Int? = nil
    ) throws -> Connection {
        try system.connection(
            as: process, bus: port.map { "tcp://127.0.0.1:\($0)" } ?? bus, keys: keys)
    }

    /// A socket at the alert endpoint.
    func listen(
        _ topics: [String], as process: String = "test", keys: String? = nil, port: Int? = nil
    ) throws -> Socket {
        try connection(as: process, keys: keys, port: port)
            .connect(.subscriber, to: .notifier, .alerts, subscribing: topics)
    }

    /// The topic that `OpenFeed` would return to the account that runs the tests if it had a token.
    func topic() throws -> String {
        try eventually("the feed has its secret") { try !secrets().isEmpty }
        return "alert.local.\(Self.owner).\(try secrets()[0])."
    }

    private func secrets() throws -> [String] {
        try system.query(.notifier, "SELECT secret FROM feed WHERE secret <> ''").map { $0[0] }
    }

    /// The account that runs the tests.
    static var owner: String { String(cString: getpwuid(geteuid()).pointee.pw_name) }
}

extension Socket {
    /// The topic of the next message, which is discarded; nil if none comes for a long time.
    func nextTopic() throws -> String? {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let frames = try receive() {
                return String(decoding: frames[0].bytes, as: UTF8.self)
            }
            try Poller.wait(for: self, milliseconds: 50)
        }
        return nil
    }
}
