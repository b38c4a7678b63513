import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The real services, whose clock a test can set, and a person who is logged in.
private final class Decade {
    static let day: Int64 = 24 * 3_600_000

    let system: System
    private let accounts: Client
    private let notifier: Client
    private var account: Program
    private var refreshToken: [UInt8] = []

    init() throws {
        system = try System()
        try system.makeFolder("run")
        account = try Self.start("account-service", system)
        try Self.start("notifier", system)
        accounts = try system.client(of: .account)
        notifier = try system.client(of: .notifier)
        try accounts.signUp("ann", [Grant(role: .supervisor)])
        refreshToken = try accounts.ask(
            LogIn(name: "ann", password: Client.password), for: LoggedIn.self
        ).refreshToken
    }

    @discardableResult
    static func start(
        _ service: String, _ system: System, _ arguments: String...
    ) throws -> Program {
        let program = try system.launch(
            service,
            adding: [
                "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                "SHIFTED_CLOCK": system.path("clock"),
            ], arguments)
        try program.waitUntilReady()
        return program
    }

    /// Kills account-service, restores its store from a backup, and starts it again.
    func restore(from backup: String) throws {
        account.kill()
        try system.restore(.account, from: backup)
        account = try Self.start("account-service", system, "--restored")
        // The refresh token from before the backup ended with all sessions.
        refreshToken = try accounts.ask(
            LogIn(name: "ann", password: Client.password), for: LoggedIn.self
        ).refreshToken
    }

    /// Sets the clock of the services and their clients to a time in milliseconds since 1970.
    func setClock(to time: Int64) throws {
        let shift = (time - WallClock.milliseconds()) / 1000
        for client in [accounts, notifier] {
            client.clock = { WallClock.milliseconds() + shift * 1000 }
        }
        try Data("\(shift)".utf8).write(
            to: URL(filePath: system.path("clock")), options: .atomic)
    }

    /// Returns the keys of account-service, oldest first: when each begins and ends, and its name.
    func keys() throws -> [(begins: Int64, ends: Int64, id: String)] {
        try system.query(
            .account,
            "SELECT begins, ends, hex(substr(publicKey, 1, 8)) FROM signingKey ORDER BY begins"
        ).compactMap { row in
            guard let begins = Int64(row[0]), let ends = Int64(row[1]) else { return nil }
            return (begins, ends, row[2])
        }
    }

    /// Returns a new access token for the notifier, and the name of the key that signed it.
    func token() throws -> (bytes: [UInt8], key: String) {
        let granted = try accounts.ask(
            RefreshAccess(
                refreshToken: refreshToken, audiences: [ServiceName.notifier.rawValue]),
            for: AccessGranted.self)
        refreshToken = granted.refreshToken
        let bytes = try #require(granted.tokens[ServiceName.notifier.rawValue])
        let claims = try Claims(unpacking: try AccessToken(unpacking: bytes).claims)
        return (bytes, claims.keyId.map { String(format: "%02X", $0) }.joined())
    }

    /// Returns whether the notifier accepts the token.
    func isHonoured(_ token: [UInt8]) throws -> Bool {
        notifier.token = token
        defer { notifier.token = [] }
        do {
            _ = try notifier.ask(
                AcknowledgeAlert(id: "none"), for: AlertAcknowledged.self,
                deadline: .seconds(30))
            return true
        } catch ClientError.refused(let refusal) {
            return refusal.code == .notFound
        }
    }
}

/// Tests that keys change over the months without anyone having to log in again.
@Suite(.serialized, .waiting) struct KeyRotationTests {
    @Test func `a signature is honoured until its key expires, and the next key follows`() throws {
        let decade = try Decade()
        let first = try #require(try decade.keys().first)
        let present = try decade.token()
        try eventually("the notifier knows the key") { try decade.isHonoured(present.bytes) }

        // The next key is published an hour before it signs.
        try decade.setClock(to: first.begins + 30 * Decade.day - 3_600_000 + 5000)
        try eventually("the next key is there") { try decade.keys().count == 2 }
        let next = try #require(try decade.keys().last)
        let end = try #require(try decade.keys().first).ends
        #expect(end == next.begins + 11 * 60_000)
        #expect(try decade.token().key == first.id)

        try decade.setClock(to: next.begins - 60_000)
        let old = try decade.token()
        #expect(old.key == first.id)
        try decade.setClock(to: next.begins + 60_000)
        let new = try decade.token()
        #expect(new.key == next.id)
        #expect(try decade.isHonoured(old.bytes))
        try eventually("the notifier knows the next key") { try decade.isHonoured(new.bytes) }

        // The token is valid for ten minutes, and the key that signed it a little longer.
        try decade.setClock(to: next.begins + 500_000)
        #expect(try decade.isHonoured(old.bytes))
        try decade.setClock(to: end + 1000)
        #expect(try !decade.isHonoured(old.bytes))
        #expect(try decade.isHonoured(decade.token().bytes))
        try decade.setClock(to: end + 2 * 3_600_000)
        try eventually("the first key is forgotten") { try decade.keys().map(\.id) == [next.id] }
    }

    @Test func `a follower that joins after months gets only the current keys`() throws {
        let decade = try Decade()
        var months = 1
        while months <= 3 {
            let newest = try #require(try decade.keys().last)
            try decade.setClock(to: newest.begins + 30 * Decade.day - 3_600_000 + 5000)
            try eventually("the next key is there") {
                try decade.keys().last?.begins ?? 0 > newest.begins
            }
            // The session has to be used now and then, or it would end after 90 days.
            _ = try decade.token()
            months += 1
        }
        let newest = try #require(try decade.keys().last)
        try decade.setClock(to: newest.begins + 2 * 3_600_000)
        try eventually("only one key is left") { try decade.keys().count == 1 }
        // A leap of months counts for deleting old data only after a day.
        try decade.system.passDay(for: .account, from: newest.begins + 2 * 3_600_000) {
            try decade.setClock(to: $0)
        }
        try eventually("the first events are forgotten") {
            try decade.system.query(.account, "SELECT min(sequence) > 1 FROM outbox") == [["1"]]
        }

        try Decade.start("transit-alert-service", decade.system)

        let known = "SELECT hex(id) FROM accessKey"
        try eventually("the key is known") {
            try decade.system.query(.transitAlert, known) == [[newest.id]]
        }
        let token = try decade.token()
        try eventually("the notifier knows it too") { try decade.isHonoured(token.bytes) }
    }

    @Test func `after restoring a backup every service forgets the earlier keys`() throws {
        let decade = try Decade()
        try decade.system.backUp(.account, to: "backup")
        let before = try decade.token()
        try eventually("the notifier knows the key") { try decade.isHonoured(before.bytes) }

        try decade.restore(from: "backup")

        try eventually("the earlier token is refused") { try !decade.isHonoured(before.bytes) }
        let after = try decade.token()
        #expect(after.key != before.key)
        try eventually("the new token is accepted") { try decade.isHonoured(after.bytes) }
        #expect(
            try decade.system.query(.notifier, "SELECT hex(id) FROM accessKey WHERE ends = 0")
                == [[after.key]])
    }
}
