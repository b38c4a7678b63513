import Bus
import Foundation

/// Mosquitto on loopback, and a subscriber of all its topics.
public final class MQTTBroker {
    /// The TCP port that it listens on.
    public let port: Int
    private let system: System
    private let settings: String
    private var program: Program
    private var subscriber: Program

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - system: the installation in whose scratch directory it keeps its files.
    ///   - password: the password of the user `steward`; nil to let everyone in.
    public init(in system: System, password: String? = nil) throws {
        self.system = system
        port = Loopback.port()
        settings = system.path("mosquitto.conf")
        var lines = ["listener \(port) 127.0.0.1", "allow_anonymous \(password == nil)"]
        if let password {
            let file = system.path("mosquitto.passwords")
            let made = try system.spawn(
                ["/usr/bin/mosquitto_passwd", "-b", "-c", file, "steward", password],
                environment: [:])
            guard try made.waitForEnd() == .exited(0) else { throw Complaint(made.err) }
            lines.append("password_file \(file)")
        }
        // The tests may run as root, whose files its own user couldn't read.
        lines.append("user root")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: settings))
        program = try Self.start(system, settings)
        subscriber = try Self.subscribe(system, port, password)
        try eventually("the subscriber hears") {
            if !program.isRunning { program = try Self.start(system, settings) }
            if !subscriber.isRunning { subscriber = try Self.subscribe(system, port, password) }
            return (subscriber.out + subscriber.err).contains("SUBACK")
        }
    }

    private static func start(_ system: System, _ settings: String) throws -> Program {
        try system.spawn(["/usr/sbin/mosquitto", "-c", settings], environment: [:])
    }

    private static func subscribe(
        _ system: System, _ port: Int, _ password: String?
    ) throws -> Program {
        let logIn = password.map { ["-u", "steward", "-P", $0] } ?? []
        return try system.spawn(
            [
                // Print each message at once, not when a buffer is full.
                "/usr/bin/stdbuf", "-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p",
                "\(port)", "-q", "1", "-t",
                "#", "-d", "-F", "MESSAGE %t %p", "-i", "test", "-c",
            ] + logIn, environment: [:])
    }

    /// Kills the broker.
    public func stop() { program.kill() }

    /// Starts the broker again, and waits for the subscriber, because the subscriber misses
    /// whatever is published before it is back.
    public func resume() throws {
        let before = subscriptions
        program = try Self.start(system, settings)
        try eventually("the subscriber is back") { subscriptions > before }
    }

    private var subscriptions: Int {
        (subscriber.out + subscriber.err).components(separatedBy: "SUBACK").count
    }

    /// The URL of a topic.
    public func url(_ topic: String) -> String { "mqtt://127.0.0.1:\(port)/\(topic)" }

    /// The messages published so far, in order, with their topics.
    public func messages() -> [(topic: String, text: String)] {
        // The last line may have come only in part.
        let lines = subscriber.out.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().filter { $0.hasPrefix("MESSAGE ") }.map {
            let parts = $0.split(separator: " ", maxSplits: 2)
            return (String(parts[1]), parts.count > 2 ? String(parts[2]) : "")
        }
    }
}
