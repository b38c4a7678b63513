import Messages
import ServiceRuntime

/// The mails that tell people of their alerts.
extension Notifier {
    /// How long an urgent mail may take before the spare channels deliver its alert as well: 20
    /// seconds in milliseconds.
    static let mailPatience: Int64 = 20_000
    /// The kind of the timer that looks whether it was sent by then; the subject is the alert.
    static let lateMail = "lateMail"

    /// Has an alert mailed, unless it was at this severity since it was opened. If too many were
    /// mailed to its recipient lately, the spare channels deliver it.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - plan: how the alert is delivered.
    ///   - transaction: the transaction that keeps the mail.
    static func mailAlert(
        _ mail: MailRequested, by plan: DeliveryPlan, in transaction: Transaction
    ) throws {
        let (alert, now, db) = (plan.alert, transaction.now, transaction.db)
        guard try !mail.isKept(from: name.rawValue, db) else { return }
        do {
            try AlertAllowance.mails(alert.severity).take(
                "\(transaction.makeID())", by: alert.address.topic, at: now, db)
        } catch let refusal as Refusal {
            try plan.skipMail(refusal.message)
            return try plan.planOnSpare()
        }
        try request(mail, from: name.rawValue, due: plan.due, in: transaction)
        guard alert.severity == .urgent, plan.due <= now else { return }
        try transaction.setTimer(lateMail, subject: alert.id, due: now + mailPatience)
    }

    /// Has the spare channels deliver an urgent alert whose mail was not sent in time: the server
    /// may hang, or there is none.
    static func tellLateMail(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let alert = try Alert.known(id, transaction.db), alert.state == .open,
            let mail = try Mail.of(alert, transaction.db).first(where: \.isUrgent),
            mail.state != .sent
        else { return }
        try tellSpares(insteadOf: mail, isLate: true, in: transaction)
    }
}
