import Bus
import MailFormat
import Transfers
import Messages
import Phrases
import ServiceRuntime

/// Mail: sent through the mail server, managed by administrators.
enum MailHandling {
    static var handlers: [MessageHandler] {
        [
            .command(retryMail, .administrators), .command(sendTest, .administrators),
            .query(listMails, .administrators), .query(readMail, .administrators),
        ]
    }
    static var timers: [TimerHandler] { [.init(AlertMails.lateMail, replaceLateMail)] }
    static var errands: [ErrandHandler] {
        [mailing("urgentMail", urgent: true), mailing("mail", urgent: false)]
    }

    /// The maximum number of mails sent at the same time, and of mails about urgent alerts besides:
    /// after a kill that many may arrive twice. At most half of them are about one person's alerts.
    static let mailsAtOnce = 2

    private static func mailing(_ kind: String, urgent: Bool) -> ErrandHandler {
        ErrandHandler(
            kind, atOnce: mailsAtOnce, take: { try takeMail(urgent: urgent, $0) },
            name: \.mail.id, work: { $0.send() }, finish: { try finish($0.mail, $1, in: $2) },
            giveUp: { try finish($0.mail, .refused($1), in: $2) })
    }

    // MARK: Messages of people

    static func listMails(_ query: ListMails, in transaction: Transaction) throws -> Mails {
        let (mails, more) = try Mail.newest(
            of: transaction.principal.scope, unsentOnly: query.unsentOnly,
            limit: pageLimit(query.limit, usual: 50, most: 500), transaction.db)
        return Mails(
            mails: try mails.map { try shown($0, in: transaction) },
            held: try MailConfiguration(transaction.settings) == nil ? noServer : "", more: more)
    }

    static func readMail(_ query: ReadMail, in transaction: Transaction) throws -> Mail {
        try shown(
            Mail.required(query.id, of: transaction.principal.scope, transaction.db),
            in: transaction)
    }

    /// A mail as the asker sees it: without its subject if that names an alert about another
    /// person's own ride or day, which the asker doesn't get, or an alert that is gone.
    private static func shown(_ mail: Mail, in transaction: Transaction) throws -> Mail {
        guard transaction.principal.kind == .account, mail.isOfAlert else { return mail }
        let alert = try Alert.known(AlertDelivery(mail).alert, transaction.db)
        if let alert, alert.address.shows(alert, to: transaction.principal) { return mail }
        var mail = mail
        mail.subject = ""
        return mail
    }

    static func retryMail(_ command: RetryMail, in transaction: Transaction) throws -> Mail {
        var mail = try Mail.required(
            command.id, of: transaction.principal.scope, transaction.db)
        let wasDead = mail.state == .dead
        try mail.retry(at: transaction.now)
        try mail.save(transaction.db)
        if wasDead { try reportDead(mail.organisation, nil, in: transaction) }
        return try shown(mail, in: transaction)
    }

    static func sendTest(_ command: SendTestMail, in transaction: Transaction) throws -> Mail {
        try transaction.countMails(1)
        try MailRequested.validate(address: command.to)
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        let preference = try AlertPreference.of(feed, transaction.db)
        let words = Words<MailPhrase>(preference.spoken(transaction.settings))
        let test = MailRequested(
            key: "test/\(transaction.id)", to: [command.to], subject: words.say(.testSubject),
            text: words.say(.testText) + "\n",
            organisation: transaction.principal.organisation)
        let mails = try MailRequests.request(
            test, from: ServiceName.notifier.rawValue, in: transaction)
        guard let mail = mails.first else {
            throw Refusal.conflict("this test was requested already")
        }
        return mail
    }

    private static let noServer =
        "no mail server is set; set STEWARD_SMTP and STEWARD_SMTP_FROM and start the notifier again"

    // MARK: Sending

    /// A mail to send.
    struct Posting: Sendable {
        let mail: Mail
        let request: MailRequested
        let configuration: MailConfiguration

        /// Sends it, outside the loop.
        func send() -> MailOutcome {
            do {
                let draft = MailDraft(mail, request, from: configuration.from)
                let password = try configuration.password()
                return MailTransfer(configuration.server, password: password)
                    .send(draft.written(), from: configuration.from, to: mail.to)
            } catch { return .delayed("\(error)", ofServer: true) }
        }
    }

    /// The maximum number of mails put off, or not sent at all, in one turn.
    private static let mostPutOff = 100

    private static func takeMail(
        urgent: Bool, _ transaction: Transaction
    ) throws -> Posting? {
        let (now, db) = (transaction.now, transaction.db)
        for _ in 0..<mostPutOff {
            guard let id = try Mail.due(urgent: urgent, most: mailsAtOnce / 2, at: now, db),
                let configuration = try MailConfiguration(transaction.settings)
            else { return nil }
            var isPutOff = false
            let posting = try transaction.sparingOthers("mail") { () -> Posting? in
                guard var mail = try Mail.ofID(id, db) else { return nil }
                guard try redirect(&mail, in: transaction) else {
                    isPutOff = true
                    return nil
                }
                let ended = try endedAlert(of: mail, in: transaction)
                if try skip(mail, ifNotNeededAfter: ended, in: transaction) {
                    isPutOff = true
                    return nil
                }
                let end =
                    try quietEnd(for: mail, in: transaction)
                    ?? MailTurn.wait(for: mail, at: now, db)
                if let end {
                    (mail.due, mail.changed, isPutOff) = (end, now, true)
                    try mail.save(db)
                    return nil
                }
                let over = try ended.flatMap { try $0.goesOn(db) ? nil : $0 }
                let request =
                    try over.map { try mail.request(of: $0, in: transaction) }
                    ?? MailRequested.of(mail, db)
                mail.subject = request.subject
                mail.begin(from: configuration.from, at: now)
                try mail.save(db)
                return Posting(mail: mail, request: request, configuration: configuration)
            } putAside: { reason in
                try giveUp(id, reason, in: transaction)
            }
            if !isPutOff { return posting }
        }
        return nil
    }

    /// Addresses the mail of an alert to where its recipient's alerts are mailed now.
    ///
    /// - Returns: false if they are no longer mailed. Then the mail is deleted, and other channels
    ///   deliver the alert.
    private static func redirect(_ mail: inout Mail, in transaction: Transaction) throws -> Bool {
        let db = transaction.db
        guard mail.isOfAlert, let alert = try Alert.known(AlertDelivery(mail).alert, db) else {
            return true
        }
        let mailbox = try AlertPreference.of(alert.address, db).mail
        guard mailbox.isEmpty else {
            if mailbox != mail.to { (mail.to, mail.firstTried, mail.attempts) = (mailbox, 0, 0) }
            return true
        }
        try skip(mail, of: alert, "alerts are no longer mailed", in: transaction)
        try Deliveries.deliverElsewhere(of: [alert.id], in: transaction)
        return false
    }

    /// The alert of a mail if it has ended; nil while it is open, and for a test.
    private static func endedAlert(of mail: Mail, in transaction: Transaction) throws -> Alert? {
        guard mail.isOfAlert,
            let alert = try Alert.known(AlertDelivery(mail).alert, transaction.db),
            alert.raised?.kind != AlertChannel.testKind
        else { return nil }
        return try alert.ended(transaction.db)
    }

    /// Deletes the mail of an alert that is over, unless it was tried before, or is urgent news:
    /// see ``AlertEnd``. An alert that is no longer kept is over, too.
    ///
    /// - Returns: false if the mail has to be sent.
    private static func skip(
        _ mail: Mail, ifNotNeededAfter ended: Alert?, in transaction: Transaction
    ) throws -> Bool {
        // The number of attempts starts over; the Message-ID of the first one stays.
        guard mail.isOfAlert, mail.messageId.isEmpty else { return false }
        if let ended {
            guard try !mail.isUrgent || !AlertEnd.isNews(ended, in: transaction) else {
                return false
            }
            try skip(mail, of: ended, DeliveryPlan.over, in: transaction)
        } else {
            guard !mail.isUrgent,
                try !Alert.isKept(AlertDelivery(mail).alert, transaction.db)
            else { return false }
            try mail.delete(transaction.db)
        }
        return true
    }

    /// Deletes a mail, and records why it isn't sent.
    private static func skip(
        _ mail: Mail, of alert: Alert, _ reason: String, in transaction: Transaction
    ) throws {
        let db = transaction.db
        try mail.delete(db)
        try AlertDelivery(
            id: "\(transaction.makeID())", channel: DeliveryPlan.mail, alert: alert.id,
            feedSequence: Notice.head(alert.address, db), severity: AlertDelivery(mail).severity,
            state: .skipped, changed: transaction.now, note: reason
        ).save(alert.address, db)
    }

    /// When the quiet hours end during which the mail of an alert comes due, because it failed
    /// before, or waited for the end of a maintenance; nil if it needn't wait for that.
    private static func quietEnd(for mail: Mail, in transaction: Transaction) throws -> Int64? {
        let (now, db, delivery) = (transaction.now, transaction.db, AlertDelivery(mail))
        guard mail.source == ServiceName.notifier.rawValue,
            let alert = try Alert.known(delivery.alert, db),
            alert.raised?.kind != AlertChannel.testKind
        else { return nil }
        let end = try QuietHours.of(alert.address, db)
            .end(for: alert, as: delivery.severity, at: now)
        return end > now ? end : nil
    }

    /// Gives up a mail that can't be read.
    private static func giveUp(
        _ id: String, _ reason: String, in transaction: Transaction
    ) throws {
        guard let mail = try Mail.salvaged(id, at: transaction.now, transaction.db) else { return }
        try finish(mail, .refused(reason.prefix(bytes: 1_000)), in: transaction)
    }

    /// Schedules again, under the same Message-ID, the mails that were being sent when the process
    /// was killed: the server may or may not have them, and receiving a mail twice is better than
    /// never.
    static func recover(_ transaction: Transaction) throws {
        let db = transaction.db
        for id in try Mail.underWay(db) {
            _ = try transaction.sparingOthers("mail") { () -> Mail? in
                var mail = try Mail.ofID(id, db)
                mail?.recover(at: transaction.now)
                try mail?.save(db)
                return mail
            } putAside: { reason in
                try giveUp(id, reason, in: transaction)
            }
        }
    }

    private static func finish(
        _ mail: Mail, _ outcome: MailOutcome, in transaction: Transaction
    ) throws {
        try noteServer(outcome, in: transaction)
        // Its alert may have been erased meanwhile.
        guard try Mail.isKept(mail.id, transaction.db) else { return }
        var mail = mail
        let isNews = mail.end(outcome, at: transaction.now)
        try mail.save(transaction.db)
        if mail.state == .sent {
            try MailRequested.forgetContent(of: mail, transaction.db)
            let delivered = MailDelivered(
                source: mail.source, key: mail.key, to: mail.to, time: transaction.now,
                messageId: mail.messageId)
            try transaction.publish(delivered, subject: mail.id)
            guard mail.isOfAlert,
                let alert = try Alert.known(AlertDelivery(mail).alert, transaction.db)
            else { return }
            return try Deliveries.settleReach(of: alert.address, in: transaction)
        }
        let isDead = mail.state == .dead
        if isNews {
            let failed = MailFailed(
                source: mail.source, key: mail.key, to: mail.to, error: mail.error, final: isDead)
            try transaction.publish(failed, subject: mail.id)
        }
        if isDead { try reportDead(mail.organisation, mail, in: transaction) }
        try deliverElsewhere(insteadOf: mail, in: transaction)
    }

    /// The kind of the alert that the mail server fails, and how its keys begin.
    static let (serverKind, serverKeys) = ("mail.server", "mailServer/")

    /// Records whether the mail server works. If it has failed for long, nobody gets mail, for
    /// example because the server refuses the sender: alerts those responsible for the installation
    /// then, and withdraws that once a mail is sent.
    private static func noteServer(
        _ outcome: MailOutcome, in transaction: Transaction
    ) throws {
        let (now, db) = (transaction.now, transaction.db)
        try MailServerFailures.note(outcome, at: now, db)
        switch outcome {
        case .sent: try AlertHandling.withdrawAll(beginningWith: serverKeys, in: transaction)
        case .delayed(let reason, ofServer: true):
            let source = ServiceName.notifier.rawValue
            guard let since = try MailServerFailures.deadSince(at: now, db) else { return }
            let open = try Alert.openKeys(from: source, beginningWith: serverKeys, db)
            for feed in try Member.caretakers(of: Principal.localOrganisation, in: transaction)
            where !open.contains(serverKeys + feed.recipient) {
                var raised = AlertRaised(
                    key: serverKeys + feed.recipient, kind: serverKind, severity: .warning,
                    recipient: feed.recipient, needsAcknowledgement: true,
                    actions: [
                        Action(name: "list", Said(.seeMails), target: "steward mail list --unsent")
                    ], organisation: feed.organisation)
                raised.say(
                    Said(.mailServerFails),
                    [PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(reason)])])])
                try Deliveries.raise(raised, since: since, in: transaction)
            }
        case .delayed, .refused: break
        }
    }

    /// Makes other channels deliver an alert whose mail was given up, or has failed so often, or
    /// taken so long, that it is too late: the spare ones, or all if its source chose mail.
    static func deliverElsewhere(
        insteadOf mail: Mail, isLate: Bool = false, in transaction: Transaction
    ) throws {
        let (delivery, db) = (AlertDelivery(mail), transaction.db)
        guard mail.source == ServiceName.notifier.rawValue,
            isLate || mail.state == .dead
                || AlertChannel.isLate(after: mail.attempts, for: delivery.severity)
        else { return }
        _ = try transaction.sparingOthers("delivery") { () -> AlertNotice? in
            guard let alert = try Alert.known(delivery.alert, db), DeliveryPlan.mayWait(alert)
            else { return nil }
            let opened = try AlertOpening.position(of: alert, db)
            let planned = try AlertDelivery.all(of: alert.id, db)
                .filter { $0.feedSequence >= opened && $0.note != DeliveryPlan.otherChannels }
            let failsAsChosen = try DeliveryPlan.failsAsChosen(
                alert, of: alert.address, without: DeliveryPlan.mail, in: transaction)
            let isMissing = try KeptChannel.all(of: alert.address, db).contains { kept in
                (kept.channel.spare || failsAsChosen)
                    && kept.channel.delivers(delivery.severity)
                    && !planned.contains {
                        $0.channel == kept.channel.name
                            && !delivery.severity.isLouder(than: $0.severity)
                    }
            }
            guard isMissing else { return nil }
            return try AlertHandling.deliverElsewhere(
                of: alert.id, without: DeliveryPlan.mail, in: transaction)
        } putAside: { _ in
        }
    }

    /// Makes other channels deliver an urgent alert whose mail was not sent in time: the server may
    /// hang, or there is none.
    static func replaceLateMail(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let alert = try Alert.known(id, transaction.db), alert.state == .open,
            let mail = try Mail.of(alert, transaction.db).first(where: \.isUrgent),
            mail.state != .sent
        else { return }
        try deliverElsewhere(insteadOf: mail, isLate: true, in: transaction)
    }

    /// Raises, changes or withdraws the administrators' alert, which says how many of the
    /// organisation's mails were given up.
    ///
    /// - Parameters:
    ///   - organisation: the id of the organisation.
    ///   - newest: the mail that was just given up; nil when one is tried again.
    ///   - transaction: the transaction.
    private static func reportDead(
        _ organisation: String, _ newest: Mail?, in transaction: Transaction
    ) throws {
        let count = try Mail.deadCount(of: organisation, transaction.db)
        let alert = Mail.alert(organisation, dead: count, newest: newest)
        guard count > 0 else {
            return try AlertHandling.withdrawAll(beginningWith: alert.key + "/", in: transaction)
        }
        guard newest != nil else { return }
        try AlertHandling.raise(alert, toCaretakersOf: organisation, in: transaction)
    }
}

extension Mail {
    /// What the mail of an alert says if it is sent although the alert has ended.
    fileprivate func request(
        of alert: Alert, in transaction: Transaction
    ) throws -> MailRequested {
        let preference = try AlertPreference.of(alert.address, transaction.db)
        var told = alert.told(preference, transaction.settings)
        told.severity = AlertDelivery(self).severity
        return told.mail(to: to, in: preference.spoken(transaction.settings), isOver: true)
    }
}
