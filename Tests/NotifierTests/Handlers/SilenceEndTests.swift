import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// What a silence has held back is delivered at its end, if it is still open.
struct SilenceEndTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let source = ServiceName.checklist.rawValue

    private let notifier: MemoryStore
    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "phone", kind: .ntfy, address: "https://ntfy.example.org/a", from: .info)
            try KeptChannel(feed: owner, channel, secret: "").save(transaction.db)
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(owner, transaction.db)
        }
    }

    private func silence(hours: Int64 = 1) throws -> Silence {
        try notifier.run(at: Self.now) {
            let wish = Silence(key: "late/", until: Self.now + hours * Self.hour)
            return try Silence.begin(SilenceAlerts(silence: wish), in: $0)
        }
    }

    private func raise(
        _ severity: Severity = .warning, title: String = "Late", at now: Int64 = Self.now + 1
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "late/1", kind: "test", severity: severity, title: title,
                recipient: owner.recipient)
            try AlertHandling.raise(raised, from: Self.source, id: transaction.id, in: transaction)
        }
    }

    private func end(_ silence: Silence) throws {
        try notifier.run(at: silence.until) {
            try Silence.over(silence.id, due: silence.until, in: $0)
        }
    }

    /// What waits to be delivered, and what was skipped.
    private func steps() throws -> [String] {
        let alert = try #require(try notifier.alerts().first { $0.key == "late/1" })
        return try notifier.run { try AlertDelivery.everything(of: alert, $0.db) }
            .map { "\($0.channel) \($0.state)" }
    }

    @Test func `an alert that is still open is delivered and mailed when its silence is over`()
        throws
    {
        let silence = try silence()
        try raise()
        #expect(try steps().sorted() == ["mail skipped", "phone skipped"])
        #expect(
            try notifier.run { try $0.timerDue(Silence.ending, subject: silence.id) }
                == silence.until)

        try end(silence)

        #expect(
            try steps().sorted() == [
                "mail skipped", "mail waiting", "phone skipped", "phone waiting",
            ])
        #expect(
            try notifier.run { try Silence.all(of: owner, at: Self.now, $0.db) }.isEmpty)
    }

    @Test func `a silence that is ended by hand delivers what it held back at once`() throws {
        let silence = try silence()
        try raise()

        try notifier.run(at: Self.now + 2) {
            _ = try Silence.end(EndSilence(id: silence.id), in: $0)
        }

        #expect(try steps().filter { $0.hasSuffix("waiting") }.count == 2)
        #expect(
            try notifier.run { try $0.timerDue(Silence.ending, subject: silence.id) } == nil)
    }

    @Test func `an alert that is over by the end of its silence is not delivered`() throws {
        let silence = try silence()
        try raise()
        try notifier.run(at: Self.now + 2) {
            try AlertHandling.withdraw("late/1", from: Self.source, in: $0)
        }

        try end(silence)

        #expect(try steps().sorted() == ["mail skipped", "phone skipped"])
    }

    @Test func `an alert waits for the last of its silences`() throws {
        let (short, long) = (try silence(hours: 1), try silence(hours: 2))
        try raise()

        try end(short)
        #expect(try steps().filter { $0.hasSuffix("waiting") } == [])

        try end(long)
        #expect(try steps().filter { $0.hasSuffix("waiting") }.count == 2)
    }

    @Test func `what a silence held back is delivered though very many others are open`() throws {
        let silence = try silence()
        try raise()
        try notifier.run(at: Self.now + 2) { transaction in
            for number in 0..<Alert.mostShown {
                let raised = AlertRaised(
                    key: "other/\(number)", kind: "test", severity: .warning, title: "Other",
                    recipient: owner.recipient)
                try Alert(
                    id: "\(transaction.makeID())", source: Self.source, raised: raised,
                    state: .open, time: transaction.now, severity: .warning
                ).save(transaction.db)
            }
        }

        try end(silence)

        let steps = try notifier.run { transaction in
            let alert = try #require(
                try Alert.open(source: Self.source, key: "late/1", transaction.db))
            return try AlertDelivery.everything(of: alert, transaction.db).map(\.state)
        }
        #expect(steps.filter { $0 == .waiting }.count == 2)
    }

    @Test func `what was delivered before a silence is not delivered again after it`() throws {
        try raise(at: Self.now)
        let before = try steps()
        let silence = try silence()

        try end(silence)

        #expect(try steps() == before)
    }

    @Test func `a silence that was begun while the clock was ahead ends when it is set back`()
        throws
    {
        let silence = try silence()
        try raise()

        try notifier.run(at: Self.now - 30 * 24 * Self.hour) { try Silence.endAhead(in: $0) }

        #expect(try steps().filter { $0.hasSuffix("waiting") }.count == 2)
        #expect(
            try notifier.run { try $0.timerDue(Silence.ending, subject: silence.id) } == nil)
    }

    @Test func `silences of an earlier version end too`() throws {
        try notifier.run(at: Self.now) {
            try Silence(id: "s", kind: "test", until: Self.now + Self.hour).save(owner, $0.db)
            try Silence.prepare($0)
        }

        #expect(
            try notifier.run { try $0.timerDue(Silence.ending, subject: "s") }
                == Self.now + Self.hour)
    }

    /// What the digest names at a time; nil if there is none.
    private func digest(at now: Int64) throws -> String? {
        try notifier.run(at: now) { transaction in
            try AlertDigest.collect(owner.topic, due: now, in: transaction)
            return try AlertDigest.openList(of: owner, in: transaction)?.raised?.body
        }
    }

    @Test(arguments: [true, false])
    func `a digest names an alert only once its silence is over`(isOlder: Bool) throws {
        try notifier.run(at: Self.now) { transaction in
            try AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
                .save(owner, since: Self.now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: owner.topic, due: Self.now + 2)
        }
        if isOlder { try raise(at: Self.now) }
        let silence = try silence()
        if !isOlder { try raise() }
        #expect(try digest(at: Self.now + 2) == nil)

        try end(silence)
        #expect(try steps().filter { $0.hasSuffix("waiting") } == [])
        #expect(try digest(at: silence.until + 1)?.contains("Late") == true)
    }
}
