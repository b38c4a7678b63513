import LocalTime
import Messages
import ServiceRuntime

/// Sends plans by mail. The attachments are made outside the loop while the sender waits, so that
/// the sender learns at once if they are too large; the notifier sends the mail.
enum PlanMails {
    static var handlers: [MessageHandler] {
        [
            .slow(
                prepare: prepare, work: { mail in try PlanSurvey.limited { try mail.request() } },
                finish: finish, .member)
        ]
    }

    private static func prepare(
        _ command: SendPlan, in transaction: Transaction
    ) throws -> PlanMail {
        let row = try transaction.plan(command.plan)
        try PlanMail.validate(command)
        try transaction.requireMails(command.to.count)
        let open = try row.open(transaction)
        return PlanMail(
            survey: PlanSurvey(plan: row.plan, drawing: open.plan), items: open.items.map(\.item),
            command: command, key: "plan/\(transaction.id)",
            date: day(transaction.now, command.timeZone))
    }

    private static func finish(
        _ command: SendPlan, _ mail: MailRequested, in transaction: Transaction
    ) throws -> PlanSent {
        try transaction.countMails(mail.to.count)
        try transaction.request(mail)
        return PlanSent(key: mail.key, to: mail.to)
    }

    /// The day of a time, e.g. `2026-11-21`, in a zone, or in UTC if it is empty.
    static func day(_ time: Int64, _ zone: String) -> String {
        LocalTime(zone: zone.isEmpty ? "UTC" : zone)?.reading(at: time).date ?? ""
    }
}
