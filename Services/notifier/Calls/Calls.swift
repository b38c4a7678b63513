import Bus
import Messages
import ServiceRuntime

/// The messages about calls, and their timers.
enum CallHandling {
    static var handlers: [MessageHandler] {
        [
            .command(raise, .role(minimum: .shiftManager, at: .site)),
            .command(withdraw, .role(minimum: .shiftManager, at: .site)),
            .query(list, .administrators), .query(read, .administrators),
        ]
    }

    /// The maximum number of bytes of a title and of a body that a person writes.
    private static let (longestTitle, longestBody) = (200, 4_000)

    private static func raise(_ command: RaiseAlert, in transaction: Transaction) throws -> Call {
        try command.audience.validate()
        try allow(command.audience, in: transaction)
        guard (1...longestTitle).contains(command.title.utf8.count),
            !command.title.unicodeScalars.contains(where: { $0.value < 32 })
        else { throw Refusal.invalid("a title is one line of 1 to \(longestTitle) bytes") }
        guard command.body.utf8.count <= longestBody else {
            throw Refusal.invalid("the text has more than \(longestBody) bytes")
        }
        try AlertAllowance.call.use(in: transaction)
        let known = Alert.severities.contains(command.severity)
        let raised = AlertRaised(
            key: "call/\(transaction.id)", kind: "call",
            severity: known ? command.severity : .info, title: command.title, body: command.body,
            subject: "\(transaction.id)", needsAcknowledgement: command.needsAcknowledgement,
            repeatEvery: command.repeatEvery,
            expiresAt: command.lasts == 0 ? 0 : transaction.now + command.lasts,
            organisation: transaction.principal.organisation, audience: command.audience,
            site: command.audience.site)
        let kept = try begin(
            raised, from: ServiceName.notifier.rawValue, id: transaction.id, in: transaction)
        // The command is refused as a whole, so nobody is told.
        guard !kept.reachesNobody else {
            throw Refusal.notFound("nobody has this role there; nobody was told")
        }
        return kept.call
    }

    private static func withdraw(
        _ command: WithdrawCall, in transaction: Transaction
    ) throws -> Call {
        let kept = try KeptCall.required(
            command.id, of: transaction.principal.scope, transaction.db)
        var call = kept.call
        try allow(call.raised?.audience ?? Audience(), in: transaction)
        guard call.source == ServiceName.notifier.rawValue, call.raised?.kind == "call" else {
            throw Refusal.conflict("\(call.source) has raised it, and withdraws it itself")
        }
        guard call.isLive else { return call }
        call.end(.withdrawn, at: transaction.now)
        return try settle(call, kept, in: transaction).call
    }

    /// People who lead shifts at a site may call people there; only administrators may call others.
    private static func allow(_ audience: Audience, in transaction: Transaction) throws {
        guard audience.account.isEmpty, !audience.site.isEmpty else {
            return try transaction.require(.administrator, at: "")
        }
        try transaction.require(.shiftManager, at: audience.site, area: audience.area)
    }

    private static func list(_ query: ListCalls, in transaction: Transaction) throws
        -> Messages.Calls
    {
        let limit = pageLimit(query.limit, usual: 50, most: 500)
        let calls = try KeptCall.newest(
            of: transaction.principal.scope, openOnly: query.openOnly, before: query.before,
            limit: limit + 1, transaction.db)
        let page = Page.first(of: calls, limit: limit)
        return Messages.Calls(
            calls: page, next: calls.count > page.count ? page.last?.id ?? "" : "")
    }

    private static func read(_ query: ReadCall, in transaction: Transaction) throws -> CallTrace {
        let (db, scope) = (transaction.db, transaction.principal.scope)
        let call = try KeptCall.required(query.id, of: scope, db).call
        let limit = pageLimit(query.limit, usual: 100, most: 500)
        let after =
            query.after.isEmpty
            ? ""
            : AlertFeedAddress(organisation: call.organisation, recipient: query.after).topic
        let alerts = try CalledAlert.all(of: call.id, after: after, limit: limit + 1, db)
        var page = Page<CalledPerson>(limit: limit)
        for alert in alerts.map(\.alert) {
            let person = try CalledPerson(alert, in: transaction)
            guard page.add(person, bytes: person.packed().count) else { break }
        }
        let isMore = page.rows.count < alerts.count
        return CallTrace(
            call: call, people: page.rows, next: isMore ? page.rows.last?.account ?? "" : "")
    }
}

extension CalledPerson {
    /// The maximum number of deliveries shown for one person.
    private static let mostDeliveries = 20

    fileprivate init(_ alert: Alert, in transaction: Transaction) throws {
        let db = transaction.db
        let account = alert.address.recipient
        let deliveries = try AlertDelivery.everything(of: alert, db)
        self.init(
            account: account, name: try Member.known(account, db)?.displayName ?? "",
            alert: alert.id, state: alert.state, severity: alert.severity, time: alert.time,
            deliveries: deliveries.suffix(Self.mostDeliveries))
    }
}

/// The life of calls.
extension CallHandling {
    /// Timer kinds.
    static let (spreading, escalation, reopening) = ("spread", "escalate", "reopen")
    static let (callRepetition, callExpiry) = ("repeatCall", "expireCall")

    static var timers: [TimerHandler] {
        [
            .init(spreading, spread), .init(escalation, atAnyTime: escalate),
            .init(reopening, reopen), .init(callRepetition, repeatCall),
            .init(callExpiry, atAnyTime: expireCall),
        ]
    }

    /// How long the timer of a call that can't be read waits before it tries again, in
    /// milliseconds: a day. Whoever has acknowledged the report is alerted again then.
    private static let unreadablePause: Int64 = 86_400_000

    /// The call of a timer; nil if it is live and can't be read. Then it isn't known whom the call
    /// is for and when its next step is due, so this only reports that and sets the timer again.
    static func keptCall(
        _ id: String, for timer: String, in transaction: Transaction
    ) throws -> KeptCall? {
        let kept = try KeptCall.required(id, transaction.db)
        guard kept.isDamaged, !kept.call.isOver else { return kept }
        return try transaction.sparingOthers("call") { () -> KeptCall? in
            throw Refusal(code: .internal, message: "call \(id)")
        } putAside: { _ in
            try transaction.setTimer(timer, subject: id, due: transaction.now + unreadablePause)
        }
    }

    /// The policy by which an open alert escalates now that its source changes it: one that didn't
    /// name it before, or that does name it now that it is more severe. Nil if there is none.
    static func newPolicy(
        for raised: AlertRaised, from source: String, replacing before: AlertRaised?,
        in transaction: Transaction
    ) throws -> EscalationPolicy? {
        let organisation = AlertFeedAddress(organisation: raised.organisation, recipient: "")
            .organisation
        let before = before ?? AlertRaised()
        let places = [raised, before].map { EscalationPolicy.place(of: $0.severity) }
        let policy = try EscalationPolicy.first(
            for: raised, from: source, of: organisation, transaction.db)
        guard let policy, places[0] > places[1] || !policy.escalates(before, from: source) else {
            return nil
        }
        return policy
    }

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - raised: the alert.
    ///   - policy: the policy that escalates it; nil to look for one.
    ///   - repeats: how often it was repeated before it became a call, so that it gets no quieter.
    ///   - source: the service that has raised it.
    ///   - id: the id of the call.
    ///   - transaction: the transaction.
    /// - Returns: its row.
    @discardableResult
    static func begin(
        _ raised: AlertRaised, policy: EscalationPolicy? = nil, repeats: UInt32 = 0,
        from source: String, id: MessageID, in transaction: Transaction
    ) throws -> KeptCall {
        let organisation = AlertFeedAddress(organisation: raised.organisation, recipient: "")
            .organisation
        let policy =
            try policy
            ?? EscalationPolicy.first(
                for: raised, from: source, of: organisation, transaction.db)
        var call = try Call(
            id: id, source: source, raised: raised, policy: policy, at: transaction.now)
        call.repeats = repeats
        if try call.maintenance(in: transaction) == nil { call.takeSteps(at: transaction.now) }
        return try settle(call, in: transaction)
    }

    static func escalate(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let kept = try keptCall(id, for: escalation, in: transaction) else { return }
        var call = kept.call
        guard call.state == .open, call.nextStep > 0 else { return }
        if let window = try call.maintenance(in: transaction) {
            return try transaction.setTimer(escalation, subject: id, due: window.until)
        }
        call.takeSteps(at: transaction.now)
        try settle(call, kept, isAgain: false, in: transaction)
    }

    static func reopen(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let kept = try keptCall(id, for: reopening, in: transaction) else { return }
        var call = kept.call
        guard call.reopenDue != nil else { return }
        call.reopen(at: transaction.now)
        if try call.maintenance(in: transaction) == nil { call.takeSteps(at: transaction.now) }
        try settle(call, kept, in: transaction)
    }

    static func repeatCall(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let kept = try keptCall(id, for: callRepetition, in: transaction) else { return }
        var call = kept.call
        guard call.state == .open else { return }
        call.again()
        try settle(call, kept, in: transaction)
    }

    static func expireCall(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let kept = try keptCall(id, for: callExpiry, in: transaction) else { return }
        var call = kept.call
        guard call.isLive else { return }
        if let look = transaction.nextLook(until: call.expires, since: call.time) {
            return try transaction.setTimer(callExpiry, subject: id, due: look)
        }
        call.end(.expired, at: transaction.now)
        try settle(call, kept, in: transaction)
    }

    /// Acknowledges a call by someone's alert of it: it is over for all.
    ///
    /// - Returns: that alert; nil when it was acknowledged before.
    static func acknowledgeCall(
        by alert: Alert, in transaction: Transaction
    ) throws -> Alert? {
        let kept = try KeptCall.required(alert.call, transaction.db)
        var call = kept.call
        let account = transaction.principal.account
        guard try call.acknowledge(by: account, at: transaction.now) else { return nil }
        try settle(call, kept, in: transaction)
        // The pass may reach many other alerts before this one, so update it now.
        let person = Account(id: alert.address.recipient, organisation: call.organisation)
        var now = kept
        now.call = call
        try tell(person, of: now, in: transaction)
        return try Alert.required(alert.id, transaction.db)
    }
}
