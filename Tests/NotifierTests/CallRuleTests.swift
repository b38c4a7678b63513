import Bus
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// The rules of audiences, policies and calls.
struct CallRuleTests {
    private static let people: [Account] = [
        .member("crew", Grant(role: .crew, site: "harbour", area: "bar")),
        .member("cook", Grant(role: .crew, site: "harbour", area: "kitchen")),
        .member("lead", Grant(role: .shiftManager, site: "harbour")),
        .member("far", Grant(role: .shiftManager, site: "hill")),
        .member("anywhere", Grant(role: .shiftManager)),
        .member("head", Grant(role: .administrator)),
        .member("wall", Grant(role: .display, site: "harbour")),
        .member("new"),
        .member("gone", isDisabled: true, Grant(role: .shiftManager, site: "harbour")),
    ]

    @Test(arguments: [
        (Audience(), ["crew", "cook", "lead", "far", "anywhere", "head", "new"]),
        (Audience(account: "wall"), ["wall"]),
        (Audience(account: "gone"), []),
        (Audience(role: .shiftManager), ["lead", "far", "anywhere"]),
        (Audience(role: .shiftManager, site: "harbour"), ["lead", "anywhere"]),
        (Audience(role: .crew, site: "harbour", area: "bar"), ["crew"]),
        (Audience(site: "harbour", area: "bar"), ["crew", "lead", "anywhere", "head"]),
        (Audience(role: .siteManager, site: "harbour"), []),
    ])
    func `an audience is a person, a role at a site, or everyone`(
        audience: Audience, expected: [String]
    ) {
        #expect(Self.people.filter(audience.includes).map(\.id) == expected)
    }

    private static func call(
        _ steps: [EscalationStep], rounds: UInt32 = 1, reopenAfter: Int64 = 0
    ) throws -> Call {
        let policy = EscalationPolicy(
            name: "p", kind: "test", steps: steps, rounds: rounds, reopenAfter: reopenAfter)
        try policy.validate()
        let raised = AlertRaised(
            key: "k", kind: "test", severity: .warning, title: "t", recipient: "crew",
            needsAcknowledgement: true)
        return try Call(id: .some, source: "s", raised: raised, policy: policy, at: 1_000)
    }

    private static func step(
        _ role: Role, after seconds: Int64, _ severity: Severity = .unspecified
    ) -> EscalationStep {
        EscalationStep(who: Audience(role: role), after: seconds * 1_000, severity: severity)
    }

    @Test func `steps are taken in order, at their times, for a limited number of rounds`() throws {
        var call = try Self.call(
            [Self.step(.shiftManager, after: 10), Self.step(.administrator, after: 20)], rounds: 2)

        var times: [Int64] = []
        while call.nextStep > 0, times.count < 10 {
            times.append(call.nextStep)
            call.takeSteps(at: call.nextStep)
        }

        // Another round begins after the longest wait.
        #expect(times == [11_000, 31_000, 51_000, 71_000])
        #expect(call.roundsOver == 2 && call.stepsTaken == 0)
    }

    @Test func `each step alerts the people it calls, with its own severity`() throws {
        var call = try Self.call(
            [Self.step(.shiftManager, after: 0), Self.step(.administrator, after: 20, .urgent)])
        let (lead, head) = (Self.people[2], Self.people[5])
        #expect(call.telling(to: Self.people[0]) == .init(times: 0, severity: .warning))
        #expect(call.telling(to: lead) == nil)

        call.takeSteps(at: 1_000)
        #expect(call.telling(to: lead) == .init(times: 1, severity: .warning))
        #expect(call.telling(to: head) == nil)

        call.takeSteps(at: 21_000)
        #expect(call.telling(to: lead) == .init(times: 1, severity: .warning))
        #expect(call.telling(to: head) == .init(times: 1, severity: .urgent))
    }

    @Test func `each change of a call updates its alerts once, with the reason`() throws {
        var call = try Self.call([Self.step(.crew, after: 5)])
        let person = Self.people[0]
        let first = try #require(call.telling(to: person))
        var alert = call.alert(id: "a", for: person, first, at: 1_000)
        #expect(alert.follow(call, first, first.times, at: 1_000) == nil)

        call.takeSteps(at: 6_000)
        let second = try #require(call.telling(to: person))
        #expect(alert.follow(call, second, first.times, at: 6_000) == .repeated)
        #expect(alert.follow(call, second, second.times, at: 6_000) == nil)
        #expect(alert.repeats == 1)

        #expect(try call.acknowledge(by: "lead", at: 7_000))
        #expect(alert.follow(call, nil, second.times, at: 7_000) == .closed)
        #expect(alert.state == .acknowledged && alert.acknowledgedBy == "lead")
        #expect(alert.follow(call, nil, second.times, at: 7_000) == nil)
    }

    @Test func `a person who is no longer called, though others are, need not answer`() throws {
        let call = try Self.call([Self.step(.crew, after: 5)])
        let wanted = try #require(call.telling(to: Self.people[0]))
        var alert = call.alert(id: "a", for: Self.people[0], wanted, at: 1_000)

        #expect(alert.follow(call, nil, 0, at: 2_000) == .closed)
        #expect(alert.state == .withdrawn)
    }

    @Test func `an acknowledged alert reopens unless its cause was put right`() throws {
        var call = try Self.call([Self.step(.shiftManager, after: 5)], reopenAfter: 60_000)
        call.takeSteps(at: 6_000)
        _ = try call.acknowledge(by: "crew", at: 10_000)
        #expect(call.isLive && call.nextStep == 0 && call.reopenDue == 70_000)

        var fixed = call
        fixed.end(.withdrawn, at: 20_000)
        #expect(fixed.state == .acknowledged && !fixed.isLive && fixed.reopenDue == nil)

        let told = Call.Telling(times: 1, severity: .warning)
        call.reopen(at: 70_000)
        #expect(call.state == .open && call.acknowledgedBy.isEmpty && call.reopened == 1)
        #expect(call.nextStep == 75_000)
        // People who were alerted before are alerted again.
        let again = try #require(call.telling(to: Self.people[0]))
        #expect(again.times > told.times)
        #expect(call.telling(to: Self.people[2]) == nil)
    }

    @Test func `after the clock was set back, a call waits no longer than intended`() throws {
        var call = try Self.call(
            [Self.step(.shiftManager, after: 10), Self.step(.administrator, after: 20)],
            reopenAfter: 60_000)
        call.takeSteps(at: 900_000)
        #expect(call.nextStep == 920_000)

        call.setBack(to: 905_000)
        #expect(call.nextStep == 920_000)
        call.setBack(to: 2_000)
        #expect(call.nextStep == 22_000)
        _ = try call.acknowledge(by: "crew", at: 900_000)
        call.setBack(to: 3_000)
        #expect(call.nextStep == 0 && call.reopenDue == 63_000)
    }

    @Test func `an acknowledged call is over if its policy sets no time to put things right`()
        throws
    {
        var call = try Self.call([Self.step(.shiftManager, after: 5)])
        _ = try call.acknowledge(by: "crew", at: 10_000)

        #expect(!call.isLive && call.reopenDue == nil)
        #expect(try !call.acknowledge(by: "lead", at: 11_000))
        #expect(call.acknowledgedBy == "crew")
    }

    @Test(arguments: [
        EscalationPolicy(name: "p", kind: "k"),
        EscalationPolicy(name: "no name", kind: "k", steps: [step(.crew, after: 0)]),
        EscalationPolicy(
            name: "p", steps: Array(repeating: step(.crew, after: 0), count: 11)),
        EscalationPolicy(name: "p", steps: [step(.crew, after: 1)], rounds: 2),
        EscalationPolicy(name: "p", steps: [step(.crew, after: 10)], rounds: 11),
        EscalationPolicy(name: "p", steps: [step(.crew, after: 1)], reopenAfter: 59_999),
        EscalationPolicy(
            name: "p", steps: [EscalationStep(who: Audience(role: .crew, area: "bar"))]),
    ])
    func `a policy that does nothing, or too much, is refused`(policy: EscalationPolicy) {
        #expect(throws: Refusal.self) { try policy.validate() }
    }

    @Test func `a policy escalates what it names, but never alerts about a person's rides or days`()
    {
        let policy = EscalationPolicy(
            name: "p", key: "shift/", site: "harbour", from: .warning,
            steps: [Self.step(.crew, after: 0)])
        var raised = AlertRaised(
            key: "shift/1", severity: .warning, needsAcknowledgement: true, site: "harbour")
        #expect(policy.escalates(raised, from: "checklist-service"))
        for personal in ["transit-alert-service", "routine-service"] {
            #expect(!policy.escalates(raised, from: personal))
            #expect(ServiceName(rawValue: personal) != nil)
        }
        for change in [
            { (alert: inout AlertRaised) in alert.key = "x" }, { $0.severity = .info },
            { $0.needsAcknowledgement = false }, { $0.site = "hill" },
        ] {
            var other = raised
            change(&other)
            #expect(!policy.escalates(other, from: "checklist-service"))
        }
        raised.severity = .urgent
        #expect(policy.escalates(raised, from: "plan-service"))
    }

    @Test func `maintenance holds back what it names while it lasts, but nothing urgent`() throws {
        var window = MaintenanceWindow(kind: "test", from: 1_000, until: 2_000)
        let raised = AlertRaised(key: "k", kind: "test")
        #expect(throws: Never.self) { try window.validate(at: 500) }
        #expect(
            [999, 1_000, 1_999, 2_000].map { window.holds(raised, .warning, from: "s", at: $0) }
                == [false, true, true, false])
        #expect(!window.holds(raised, .urgent, from: "s", at: 1_500))
        window.urgentToo = true
        #expect(window.holds(raised, .urgent, from: "s", at: 1_500))
        #expect(!window.holds(AlertRaised(key: "k", kind: "x"), .info, from: "s", at: 1_500))
    }

    @Test(arguments: EscalationPolicy.personal)
    func `maintenance of rides and days is refused, and holds back none of their alerts`(
        source: String
    ) {
        #expect(throws: Refusal.self) {
            try MaintenanceWindow(source: source, until: 2_000).validate(at: 500)
        }
        let window = MaintenanceWindow(kind: "test", until: 2_000, urgentToo: true)
        let raised = AlertRaised(key: "k", kind: "test")
        #expect(!window.holds(raised, .warning, from: source, at: 500))
        #expect(window.holds(raised, .warning, from: "s", at: 500))
    }

    @Test(arguments: [
        MaintenanceWindow(from: 1_000, until: 2_000),
        MaintenanceWindow(source: "s", from: 400, until: 500),
        MaintenanceWindow(source: "s", from: 2_000, until: 1_000),
        MaintenanceWindow(source: "s", from: 0, until: 31 * 24 * 3_600_000),
        MaintenanceWindow(
            source: "s", from: 400 * 24 * 3_600_000, until: 401 * 24 * 3_600_000),
    ])
    func `maintenance of everything, without an end or without a length is refused`(
        window: MaintenanceWindow
    ) {
        #expect(throws: Refusal.self) { try window.validate(at: 500) }
    }

    @Test(arguments: [
        // The severities asked for; the channel before; the severities that it has then.
        (
            Severity.unspecified, Severity.unspecified, AlertChannel(), Severity.info,
            Severity.urgent
        ),
        (.warning, .unspecified, AlertChannel(), .warning, .urgent),
        (.unspecified, .warning, AlertChannel(from: .warning, upTo: .urgent), .warning, .warning),
        (.unspecified, .unspecified, AlertChannel(from: .urgent), .urgent, .urgent),
    ])
    func `an unset severity holds nothing back, and leaves a channel as it is`(
        from: Severity, upTo: Severity, before: AlertChannel, least: Severity, most: Severity
    ) {
        var channel = before
        channel.setSeverities(AlertChannel(from: from, upTo: upTo))

        #expect(channel.from == least && channel.upTo == most)
    }

    @Test func `a channel delivers the severities in its range`() {
        let delivered = { (channel: AlertChannel) in
            [Severity.info, .warning, .urgent].filter(channel.delivers)
        }
        #expect(delivered(AlertChannel(from: .info, upTo: .warning)) == [.info, .warning])
        #expect(delivered(AlertChannel(from: .urgent, upTo: .urgent)) == [.urgent])
        // A channel of an earlier version has no highest severity.
        #expect(delivered(AlertChannel(from: .warning)) == [.warning, .urgent])
    }

    @Test func `a digest collects alerts up to its severity, but nothing urgent`() throws {
        let digest = AlertDigest(at: 420, timeZone: "Europe/Oslo", upTo: .info)
        let alert = { (severity: Severity, kind: String) in
            Alert(raised: AlertRaised(kind: kind), severity: severity)
        }
        #expect(digest.collects(alert(.info, "x")) && !digest.collects(alert(.warning, "x")))
        #expect(!digest.collects(alert(.info, AlertDigest.kind)))
        #expect(!AlertDigest().collects(alert(.info, "x")))
        // Seven in the morning in Oslo, even on the day when the clocks change.
        let evening: Int64 = 1_774_728_000_000  // 2026-03-28T20:00:00Z
        #expect(digest.due(after: evening) == 1_774_760_400_000)
        #expect(throws: Refusal.self) { try AlertDigest(timeZone: "Oslo").validate() }
        #expect(throws: Refusal.self) {
            try AlertDigest(timeZone: "Europe/Oslo", upTo: .urgent).validate()
        }
    }
}

extension Account {
    /// A member of the organisation "o".
    static func member(_ id: String, isDisabled: Bool = false, _ grants: Grant...) -> Account {
        Account(
            id: id, name: id, displayName: id.capitalized, organisation: "o", grants: grants,
            isDisabled: isDisabled)
    }

    /// A member of the organisation of the machine's owner.
    static func local(_ id: String, _ grants: Grant...) -> Account {
        Account(id: id, organisation: Principal.localOrganisation, grants: grants)
    }
}
