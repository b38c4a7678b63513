import Messages
import ServiceRuntime
import Testing

@testable import Notifier

/// The rules of an alert's life.
@Suite struct AlertTests {
    @Test func `an alert is open until it is closed`() throws {
        let alert = try Alert.raised()

        #expect(alert.state == .open)
        #expect(alert.closed == 0)
    }

    @Test func `an alert that comes after its end is kept as expired`() throws {
        let alert = try Alert.raised(expiresAt: 900, at: 1000)

        #expect(alert.state == .expired)
        #expect(alert.closed == 1000)
    }

    @Test(arguments: ["key", "title", "recipient"])
    func `an alert that nobody could receive is refused`(part: String) {
        var raised = AlertRaised(key: "k", title: "t", recipient: "ann")
        switch part {
        case "key": raised.key = ""
        case "title": raised.title = ""
        default: raised.recipient = ""
        }

        #expect(throws: Refusal.alertWithout(part)) {
            try Alert(id: .some, source: "s", raised: raised, at: 1000)
        }
    }

    @Test func `an alert is acknowledged once, and who did it is kept`() throws {
        var alert = try Alert.raised()

        #expect(try alert.acknowledge(by: "ann", at: 2000))
        #expect(try !alert.acknowledge(by: "bob", at: 3000))

        #expect(alert.state == .acknowledged)
        #expect(alert.acknowledgedBy == "ann")
        #expect(alert.closed == 2000)
    }

    @Test(arguments: [AlertState.withdrawn, .expired])
    func `an alert that was closed in another way can't be acknowledged`(state: AlertState) throws {
        var alert = try Alert.raised()
        alert.close(state, at: 2000)

        #expect(throws: Refusal.self) { try alert.acknowledge(by: "ann", at: 3000) }
    }

    @Test func `only an open alert that must be acknowledged is repeated`() throws {
        var alert = try Alert.raised(needsAcknowledgement: true, repeatEvery: 30_000)
        #expect(alert.repetitionDue(at: 1000) == 31_000)

        _ = try alert.acknowledge(by: "ann", at: 2000)
        #expect(alert.repetitionDue(at: 2000) == nil)

        let mere = try Alert.raised(needsAcknowledgement: false, repeatEvery: 30_000)
        #expect(mere.repetitionDue(at: 1000) == nil)
        let once = try Alert.raised(needsAcknowledgement: true, repeatEvery: 0)
        #expect(once.repetitionDue(at: 1000) == nil)
    }

    @Test func `an alert is repeated at most every five seconds`() throws {
        let alert = try Alert.raised(needsAcknowledgement: true, repeatEvery: 1)

        #expect(alert.repetitionDue(at: 1000) == 6000)
    }

    @Test(arguments: [
        (Severity.info, [Severity.info, .info, .info, .warning, .warning, .warning, .urgent]),
        (.warning, [.warning, .warning, .warning, .urgent, .urgent, .urgent, .urgent]),
        (.urgent, Array(repeating: .urgent, count: 7)),
        (.unspecified, [.info, .info, .info, .warning, .warning, .warning, .urgent]),
    ])
    func `every third repetition makes an alert louder, up to urgent`(
        said: Severity, heard: [Severity]
    ) throws {
        var alert = try Alert.raised(repeatEvery: 30_000)
        alert.raised?.severity = said

        let told = (0..<7).map { (repeats: UInt32) in
            alert.repeats = repeats
            return alert.loudness
        }
        #expect(told == heard)
        alert.repeats = .max
        #expect(alert.loudness == .urgent)
    }

    @Test func `a changed alert stays as loud as it is, unless its source makes it louder`()
        throws
    {
        var alert = try Alert.raised(repeatEvery: 30_000)
        alert.repeats = 3
        var raised = try #require(alert.raised)
        raised.body = "still so"
        _ = try alert.change(to: raised)
        #expect(alert.loudness == .urgent)

        raised.severity = .info
        _ = try alert.change(to: raised)
        #expect(alert.loudness == .warning)
    }

    @Test func `an alert without an end lasts a long day, or a month if it must be acknowledged`()
        throws
    {
        #expect(try Alert.raised(needsAcknowledgement: false).expires == 1000 + 25 * 3_600_000)
        #expect(try Alert.raised(needsAcknowledgement: true).expires == 1000 + 720 * 3_600_000)
        #expect(try Alert.raised(expiresAt: 7000).expires == 7000)
    }

    @Test func `what is raised after a digest is open at the next one, even after a long night`()
        throws
    {
        // Saturday, 2026-10-24, 8:00 in Oslo. In the night the clocks go back by an hour.
        let last: Int64 = 1_792_821_600_000
        let digest = AlertDigest(at: 480, timeZone: "Europe/Oslo", upTo: .info)
        let next = try #require(digest.due(after: last))
        #expect(next == last + 25 * 3_600_000)

        let alert = try Alert.raised(needsAcknowledgement: false, at: last + 1)
        #expect(alert.expires > next)
    }

    @Test func `raising the same alert again changes nothing`() throws {
        var alert = try Alert.raised()
        let raised = try #require(alert.raised)

        #expect(try !alert.change(to: raised))
    }
}

/// Which alerts a subscriber gets.
@Suite struct AlertFeedAddressTests {
    @Test func `a topic names organisation, recipient and severity`() {
        let address = AlertFeedAddress(organisation: "", recipient: "ann")

        #expect(address.topic == "alert.local.ann.")
        #expect(AlertFeedTopic(address, secret: nil).alerts(.urgent) == "alert.local.ann.urgent.")
        #expect(
            AlertFeedTopic(address, secret: nil).alerts(.unspecified) == "alert.local.ann.info.")
        #expect(AlertFeedTopic(address, secret: "00ff").beats == "alert.local.ann.00ff.beat.")
    }

    @Test func `no name can reach into the topic of another`() {
        let sly = AlertFeedAddress(organisation: "", recipient: "ann.urgent")

        #expect(sly.topic == "alert.local.ann%2Eurgent.")
        #expect(AlertFeedAddress.part("zoë %") == "zo%C3%AB%20%25")
    }
}

extension Alert {
    fileprivate static func raised(
        needsAcknowledgement: Bool = true, repeatEvery: Int64 = 0, expiresAt: Int64 = 0,
        at now: Int64 = 1000
    ) throws -> Alert {
        try Alert(
            id: .some, source: "transit-alert-service",
            raised: AlertRaised(
                key: "k", severity: .warning, title: "t", recipient: "ann",
                needsAcknowledgement: needsAcknowledgement, repeatEvery: repeatEvery,
                expiresAt: expiresAt), at: now)
    }
}

extension MessageID {
    static var some: MessageID {
        var ids = Generator()
        return ids.next(at: 1)
    }
}
