import Foundation
import TestSupport

/// An installation that alerts people, with a clock that a test can set ahead, and a server for
/// their channels.
final class AlertOffice: CommandLineUser {
    let server: WebServer
    private var accounts: Program
    private var notifier: Program
    private let clock: String

    /// What a webhook was told.
    struct Told: Decodable {
        struct Alert: Decodable {
            let title: String
            let severity: String
        }

        let id: String
        let reason: String
        let alert: Alert
    }

    init() throws {
        let system = try System()
        clock = system.path("clock")
        try "0".write(toFile: clock, atomically: true, encoding: .utf8)
        let settings = Self.shifted(by: clock)
        server = try WebServer(in: system)
        accounts = try system.launch("account-service", adding: settings)
        notifier = try system.launch("notifier", adding: settings)
        super.init(of: system, device: "desk", adding: settings)
        for program in [accounts, notifier] { try program.waitUntilReady() }
    }

    private static func shifted(by clock: String) -> [String: String] {
        ["LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock]
    }

    /// Sets the clock of all programs this number of seconds ahead.
    func setClock(_ seconds: Int) throws {
        try "\(seconds)".write(toFile: clock, atomically: true, encoding: .utf8)
    }

    /// Kills account-service.
    func stopAccounts() { accounts.kill() }

    /// Starts account-service again.
    func startAccounts() throws {
        accounts = try system.launch("account-service", adding: Self.shifted(by: clock))
        try accounts.waitUntilReady()
    }

    /// Kills the notifier.
    func stopNotifier() { notifier.kill() }

    /// Kills the notifier, as a power cut would, and starts it again.
    ///
    /// - Parameter settings: further environment variables.
    func restartNotifier(adding settings: [String: String] = [:]) throws {
        notifier.kill()
        notifier = try system.launch(
            "notifier", adding: Self.shifted(by: clock).merging(settings) { $1 })
        try notifier.waitUntilReady()
    }

    /// What the server accepted at a path, in order.
    func told(at path: String = "/hook") throws -> [Told] {
        try server.requests().filter { $0.path == path && $0.answer == "200" }.map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    /// The only alert with these words in somebody's list.
    func alert(_ words: String, device: String? = nil) throws -> [String: Any]? {
        try rows("alerts list --all --words '\(words)'", device: device).first
    }

    /// Whether an alert with these words is in somebody's list.
    func has(_ words: String, device: String) throws -> Bool {
        try alert(words, device: device) != nil
    }

    /// Acknowledges the only alert with these words in somebody's list.
    func acknowledge(_ words: String, device: String? = nil) throws {
        guard let id = try alert(words, device: device)?["id"] as? String else {
            throw Complaint("there is no alert “\(words)”")
        }
        try run("alerts ack \(id)", device: device)
    }
}
