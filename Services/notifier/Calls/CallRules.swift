import Messages
import ServiceRuntime

/// The rules of a call's life: raised, repeated, escalated, acknowledged, reopened, and over.
extension Call {
    /// What someone who is called must have been told.
    struct Telling: Hashable {
        /// How often they were called so far; grows each time they have to be alerted again.
        var times: Int64
        /// How loud the call is for them.
        var severity: Severity
    }

    /// Makes a new call.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - source: the service that has raised the alert.
    ///   - raised: the alert.
    ///   - policy: the policy that escalates it; nil for none.
    ///   - now: the present time in milliseconds since 1970.
    /// - Throws: a `Refusal` if a part is missing that is needed to alert anyone.
    init(
        id: MessageID, source: String, raised: AlertRaised, policy: EscalationPolicy?,
        at now: Int64
    ) throws {
        // A call that can't be shown to anyone is refused, like any such alert.
        let alert = try Alert(id: id, source: source, raised: raised, at: now)
        self.init(
            id: "\(id)", source: source, raised: raised, state: alert.state, time: now,
            closed: alert.closed, policy: policy, isOver: alert.state != .open)
        scheduleStep(at: now)
    }

    /// The organisation of the people called.
    var organisation: String {
        AlertFeedAddress(organisation: raised?.organisation ?? "", recipient: "").organisation
    }

    /// True while something may still happen to the call.
    var isLive: Bool { !isOver && (state == .open || state == .acknowledged && reopenDue != nil) }

    /// True if someone has acknowledged the call, even if it was reopened since because its cause
    /// wasn't put right in time.
    var wasAcknowledged: Bool { state == .acknowledged || reopened > 0 }

    /// When the call expires, in milliseconds since 1970.
    var expires: Int64 { Alert(raised: raised, state: state, time: time).expires }

    /// When the call is to be repeated next, in milliseconds since 1970; nil when it is not.
    func repetitionDue(at now: Int64) -> Int64? {
        Alert(raised: raised, state: state, time: time).repetitionDue(at: now)
    }

    /// When the call reopens unless its cause is put right, in milliseconds since 1970; nil for
    /// never.
    var reopenDue: Int64? {
        guard state == .acknowledged, !isOver, let policy, policy.reopenAfter > 0 else {
            return nil
        }
        let due = MessageTime.clamped(closed) + policy.reopenAfter
        return due < expires ? due : nil
    }

    /// Changes the call to what its source now says. An acknowledged call reopens.
    ///
    /// - Parameters:
    ///   - raised: the alert.
    ///   - newPolicy: the policy that escalates it from now on, if none did so far.
    ///   - now: the present time in milliseconds since 1970.
    /// - Returns: false when nothing changes.
    mutating func change(
        to raised: AlertRaised, policy newPolicy: EscalationPolicy? = nil, at now: Int64
    ) throws(Refusal) -> Bool {
        guard raised != self.raised || state != .open else { return false }
        guard !raised.title.isEmpty else { throw .alertWithout("title") }
        self.raised = raised
        let isNew = policy == nil && newPolicy != nil
        if isNew { policy = newPolicy }
        if state != .open { open(at: now) } else if isNew { scheduleStep(at: now) }
        return true
    }

    /// Records that someone has acknowledged the call.
    ///
    /// - Returns: false when it was already acknowledged.
    /// - Throws: `Refusal` when it was closed in another way.
    mutating func acknowledge(by account: String, at now: Int64) throws -> Bool {
        var alert = Alert(state: state)
        guard try alert.acknowledge(by: account, at: now) else { return false }
        (acknowledgedBy, nextStep) = (account, 0)
        (state, closed) = (alert.state, alert.closed)
        return true
    }

    /// Ends the call for good. An acknowledged call stays acknowledged.
    mutating func end(_ state: AlertState, at now: Int64) {
        if self.state == .open { (self.state, closed) = (state, now) }
        (isOver, nextStep) = (true, 0)
    }

    /// Reopens the call, because its cause wasn't put right in time, and escalates from the first
    /// step.
    mutating func reopen(at now: Int64) {
        reopened = reopened == .max ? .max : reopened + 1
        open(at: now)
    }

    private mutating func open(at now: Int64) {
        (state, closed, acknowledgedBy) = (.open, 0, "")
        (repeats, stepsTaken, roundsOver) = (0, 0, 0)
        scheduleStep(at: now)
    }

    /// Records that the call was repeated.
    mutating func again() { repeats = repeats == .max ? .max : repeats + 1 }

    /// Takes the steps of its policy that are due.
    mutating func takeSteps(at now: Int64) {
        while let policy, state == .open, nextStep > 0, nextStep <= now {
            stepsTaken += 1
            if Int(stepsTaken) >= policy.steps.count {
                (stepsTaken, roundsOver) = (0, roundsOver + 1)
            }
            scheduleStep(at: now)
        }
    }

    private mutating func scheduleStep(at now: Int64) {
        nextStep = 0
        guard let policy, state == .open, roundsOver < policy.wholeRounds else { return }
        nextStep = max(now + policy.wait(for: stepsTaken, in: roundsOver), 1)
    }

    /// Makes the call wait no longer than its policy says, even if the clock was ahead when it was
    /// closed or its next step was scheduled, and was set back since.
    mutating func setBack(to now: Int64) {
        closed = min(closed, now)
        guard let policy, nextStep > 0 else { return }
        nextStep = min(nextStep, max(now + policy.wait(for: stepsTaken, in: roundsOver), 1))
    }

    /// How often each step was taken, in order.
    private var steps: [(step: EscalationStep, times: UInt32)] {
        (policy?.steps ?? []).enumerated().map {
            ($1, roundsOver + ($0 < Int(stepsTaken) ? 1 : 0))
        }
    }

    /// The people called at present, in addition to the recipient.
    var audiences: [Audience] { (raised?.audience.map { [$0] } ?? []) + stepAudiences }

    /// The audiences of the steps that were taken.
    var stepAudiences: [Audience] { steps.filter { $0.times > 0 }.map(\.step.who) }

    /// The severity for those for whom the call was raised: see ``Alert/loudness``.
    var loudness: Severity { Alert(raised: raised, repeats: repeats).loudness }

    /// What someone must have been told by now; nil if they are not called.
    ///
    /// - Parameters:
    ///   - person: the account.
    ///   - isDeputy: true for people who are told instead of an audience without people.
    func telling(to person: Account, isDeputy: Bool = false) -> Telling? {
        let isFirst = raised.map { raised in
            raised.recipient == person.id || raised.audience?.includes(person) ?? false
        }
        let taken = steps.filter { $0.times > 0 && $0.step.who.includes(person) }
        guard isFirst == true || isDeputy || !taken.isEmpty else { return nil }
        let floors = taken.map { Alert.severities.firstIndex(of: $0.step.severity) ?? 0 }
        let level = max(
            Alert.severities.firstIndex(of: loudness) ?? 0, floors.max() ?? 0)
        // An earlier opening counts too, so that the number never falls.
        let times = Int64(repeats) + taken.reduce(0) { $0 + Int64($1.times) }
        return Telling(
            times: Int64(reopened) << 32 + times, severity: Alert.severities[level])
    }
}

extension Call {
    /// Someone's alert of the call.
    func alert(id: String, for person: Account, _ wanted: Telling, at now: Int64) -> Alert {
        Alert(
            id: id, source: source, raised: raised, state: .open, time: now,
            severity: wanted.severity,
            recipient: raised?.recipient == person.id ? "" : person.id, call: self.id)
    }
}

extension Alert {
    /// Brings the alert in line with the state of its call.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - wanted: what its recipient must have been told; nil if they are no longer called.
    ///   - times: how often they were called so far.
    ///   - now: the present time in milliseconds since 1970.
    /// - Returns: why they are told; nil if nothing changes for them.
    mutating func follow(
        _ call: Call, _ wanted: Call.Telling?, _ times: Int64, at now: Int64
    ) -> AlertNotice.Reason? {
        guard let wanted else {
            guard state == .open else { return nil }
            acknowledgedBy = call.acknowledgedBy
            // A person who is no longer called, though others are, need not answer.
            close(call.state == .open ? .withdrawn : call.state, at: now)
            return .closed
        }
        let before = self
        (raised, severity) = (call.raised, wanted.severity)
        guard before.state == .open else {
            (state, closed, acknowledgedBy, repeats) = (.open, 0, "", 0)
            return before.state == .acknowledged ? .reopened : .raised
        }
        guard wanted.times <= times else {
            repeats = repeats == .max ? .max : repeats + 1
            return .repeated
        }
        return self == before ? nil : .changed
    }
}
