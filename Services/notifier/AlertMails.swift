import Bus
import Messages
import ServiceRuntime

/// The mails that tell people of their alerts.
enum AlertMails {
    /// How long an urgent mail may take before the spare channels deliver its alert as well: 20
    /// seconds in milliseconds.
    static let mailPatience: Int64 = 20_000
    /// The kind of the timer that finds out whether the mail was sent by then; the subject is the
    /// alert.
    static let lateMail = "lateMail"

    /// Delivers an alert in other ways when a channel, or mail, doesn't deliver it in time: by the
    /// spare channels and, if everything that its source has chosen fails, by the others and by
    /// mail.
    static func deliverElsewhere(
        by plan: DeliveryPlan, in transaction: Transaction
    ) throws {
        try plan.planElsewhere()
        // A mail can't be recalled. The alert may have ended while a server didn't answer.
        guard plan.failsAsChosen, plan.alert.state == .open,
            try !plan.notice.isOver(transaction.db)
        else { return }
        try mailAlert(by: plan, AlertPreference.of(plan.feed, transaction.db), in: transaction)
    }

    /// Mails an alert to someone who has alerts mailed, unless it was mailed at this severity since
    /// it was opened, or records why it isn't mailed. If too many were mailed lately, the spare
    /// channels deliver it.
    ///
    /// - Parameters:
    ///   - plan: how the alert is delivered.
    ///   - preference: that of its recipient.
    ///   - transaction: the transaction that keeps the mail.
    static func mailAlert(
        by plan: DeliveryPlan, _ preference: AlertPreference, in transaction: Transaction
    ) throws {
        let (alert, now, db) = (plan.alert, transaction.now, transaction.db)
        if alert.state != .open, try Mail.skipWaiting(of: alert, at: now, db) {
            try plan.skipMail(DeliveryPlan.over)
        }
        guard
            DeliveryPlan.mayWait(alert) || plan.isMailTest || AlertEnd.cameTooLate(alert),
            !preference.mail.isEmpty
        else { return }
        let mail = alert.mail(
            to: preference.mail, in: preference.spoken(transaction.settings), opened: plan.opened)
        guard try !mail.isKept(from: ServiceName.notifier.rawValue, db) else { return }
        if let reason = plan.reasonNotToMail(preference) { return try plan.skipMail(reason) }
        do {
            // A test was counted when it was requested.
            if !plan.isMailTest {
                try AlertAllowance.mails(alert.severity).use(
                    "\(transaction.makeID())", by: alert.address.topic, at: now, db)
            }
        } catch let refusal as Refusal {
            try plan.skipMail(refusal.message)
            return try plan.planOnSpare()
        }
        try MailRequests.request(
            mail, from: ServiceName.notifier.rawValue, due: plan.due, in: transaction)
        guard alert.severity == .urgent, plan.due <= now else { return }
        try transaction.setTimer(lateMail, subject: alert.id, due: now + mailPatience)
    }
}
