import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// The notifier while its clock is hours or days ahead, and after that was set back.
@Suite(.serialized, .waiting) struct LeapTests {
    /// How far the clock leaps, in seconds: less than an id may be old.
    private static let leap = 20 * 3_600

    private let office: PostOffice
    private let begin = WallClock.milliseconds()

    init() throws { office = try PostOffice(hasServer: false) }

    private func raise(
        _ key: String, title: String = "Come", again: Int64 = 0, expires: Int64 = 0
    ) throws {
        try office.raise(
            AlertRaised(
                key: key, kind: "test", severity: .info, title: title,
                recipient: Principal.machineOwner.account, needsAcknowledgement: true,
                repeatEvery: again, expiresAt: expires))
    }

    private func numbers(_ sql: String) throws -> [Int64] {
        try office.system.reading(.notifier) { try Int64.fetchAll($0, sql: sql) }
    }

    /// The times at which someone was called.
    private func calls(of person: String) throws -> [Int64] {
        try numbers("SELECT time FROM alert WHERE feed = 'alert.local.\(person).'")
    }

    /// A time within an hour of the beginning, as SQL: by a clock that is right.
    private var soon: String { "< \(begin + 3_600_000)" }

    @Test func `an alert that was repeated ahead of time is repeated again after its interval`()
        throws
    {
        try raise("k", again: 5_000)
        try eventually("it is published") { try numbers("SELECT sequence FROM notice") == [1] }
        try office.setClock(Self.leap)
        let ahead = "SELECT sequence FROM notice WHERE NOT time \(soon)"
        try eventually("it is repeated") { try !numbers(ahead).isEmpty }

        try office.setClock(0)

        try eventually("it is repeated again") {
            let last = try numbers(ahead).max() ?? 0
            return try !numbers(
                "SELECT sequence FROM notice WHERE sequence > \(last) AND time \(soon)"
            ).isEmpty
        }
    }

    @Test func `the next step of an escalation is taken after its wait`() throws {
        let steps = ["bob", "cem"].map {
            EscalationStep(who: Audience(account: $0), after: 20_000)
        }
        _ = try office.ask(
            KeepPolicy(policy: EscalationPolicy(name: "p", kind: "call", steps: steps)),
            for: EscalationPolicy.self)
        _ = try office.ask(
            RaiseAlert(
                audience: Audience(account: "ann"), title: "Come", needsAcknowledgement: true),
            for: Call.self)
        try office.setClock(Self.leap)
        try eventually("the first step is taken") { try !calls(of: "bob").isEmpty }

        try office.setClock(0)

        try eventually("the second step is taken") { try !calls(of: "cem").isEmpty }
        #expect(try calls(of: "cem").allSatisfy { $0 < begin + 3_600_000 })
    }

    @Test func `the digest comes at its time, with what was raised since the clock was set back`()
        throws
    {
        let minutes = UInt32(begin / 60_000 % 1_440)
        _ = try office.ask(
            SetDigest(digest: AlertDigest(at: (minutes + 60) % 1_440, timeZone: "Etc/UTC")),
            for: AlertDigest.self)
        try raise("one", title: "First")
        try eventually("it is there") { try numbers("SELECT 1 FROM alert") == [1] }
        try office.setClock(Self.leap)
        func digests() throws -> [Alert] {
            try office.system.reading(.notifier) { db in
                try Data.fetchAll(db, sql: "SELECT alert FROM alert ORDER BY id")
                    .map { try Alert(unpacking: [UInt8]($0)) }
            }.filter { $0.raised?.kind == AlertDigest.kind }
        }
        try eventually("there is a digest") { try digests().count == 1 }

        try office.setClock(0)
        try raise("two", title: "Second")
        try eventually("it is there") {
            try numbers("SELECT 1 FROM alert WHERE key = 'two' AND time \(soon)") == [1]
        }
        #expect(try digests().count == 1)
        try office.setClock(3_700)

        try eventually("there is another one") { try digests().count == 2 }
        let second = try #require(try digests().first { $0.time < begin + 7_200_000 })
        #expect(second.raised?.body.contains("Second") == true)
        #expect(second.raised?.body.contains("First") == false)
    }

    @Test func `alerts and calls don't expire by a leap of the clock, until that is believed`()
        throws
    {
        let days = 3 * 24 * 3_600
        try raise("k", expires: begin + 3_600_000)
        _ = try office.ask(
            RaiseAlert(
                audience: Audience(account: "ann"), title: "Come", needsAcknowledgement: true,
                lasts: 3_600_000), for: Call.self)
        let open = "SELECT 1 FROM alert WHERE state = \(AlertState.open.rawValue)"
        try eventually("both are there") { try numbers(open) == [1, 1] }
        let timers = "SELECT 1 FROM timer WHERE kind IN ('expire', 'expireCall') AND"

        try office.setClock(days)
        try eventually("the notifier has looked at both") {
            try numbers("\(timers) due > \(begin + Int64(days) * 1_000)") == [1, 1]
        }
        #expect(try numbers(open) == [1, 1])
        try office.setClock(0)
        try eventually("both end when they were to end") {
            try numbers("\(timers) due < \(begin + 3_700_000)") == [1, 1]
        }
        #expect(try numbers(open) == [1, 1])

        try office.setClock(days)
        try office.passDay(from: days)
        try eventually("both have expired") {
            try numbers("SELECT 1 FROM alert WHERE state = \(AlertState.expired.rawValue)")
                == [1, 1]
        }
    }

    @Test func `what is raised after a leap of the clock expires at its end`() throws {
        let leap = Int64(Self.leap) * 1_000
        try eventually("the clock was seen before it leaps") {
            try numbers("SELECT time FROM clockSeen").count == 1
        }
        try office.setClock(Self.leap)
        try eventually("the leap was seen") {
            try numbers("SELECT length FROM clockLeap").count == 1
        }
        try raise("k", expires: begin + leap + 3_600_000)
        try eventually("it is open") {
            try numbers("SELECT time FROM alert WHERE state = \(AlertState.open.rawValue)")
                .contains { $0 >= begin + leap }
        }

        try office.setClock(Self.leap + 3_700)

        try eventually("it has expired") {
            try numbers("SELECT 1 FROM alert WHERE state = \(AlertState.expired.rawValue)") == [1]
        }
        #expect(try numbers("SELECT length FROM clockLeap").count == 1)
    }
}
