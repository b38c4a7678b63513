import Messages
import ServiceRuntime
import ShiftLog
import ShiftPapers

/// Mails lists of shifts. Each order is a row; the papers are made outside the loop, and the
/// notifier sends the mail.
enum MailHandling {
    static var handlers: [MessageHandler] {
        [.command(mailTodos, .role(minimum: .shiftManager, at: .site))]
    }
    static var errands: [ErrandHandler] {
        [
            .init(
                "papers", atOnce: 1, take: MailOrder.take, name: \.order.key, work: PaperMail.init,
                finish: finish,
                giveUp: { try finish($0, PaperMail(without: $1, $0.order, $0.state), in: $2) })
        ]
    }

    /// Restarts the orders that a crash interrupted.
    static func prepare(_ transaction: Transaction) throws {
        try MailOrder.putBack(transaction.db)
    }

    static func mailTodos(
        _ command: MailTodos, in transaction: Transaction
    ) throws -> ListsMailed {
        let row = try transaction.shift(command.shift, at: command.site)
        try row.requireReader(in: transaction)
        try transaction.require(.shiftManager, at: row.shift.site)
        let state = try row.state(transaction.db)
        let to = command.to.isEmpty ? state.settings.mailTo : command.to
        guard (1...20).contains(to.count) else {
            throw Refusal.invalid(
                to.isEmpty
                    ? "no address is known; give one with --to, or set the site's with steward "
                        + "site settings --mail-to"
                    : "give at most 20 addresses")
        }
        try SiteSettings.validate(addresses: to)
        let site = try SiteRow.ofID(row.shift.site, transaction.db)
        let used = state.todosByArea.map(\.area)
        let areas = command.areas.isEmpty ? used : command.areas
        // An area may have been removed from the site since a to-do was added.
        let known = Set(used + (site?.areas ?? []))
        for area in areas where !known.contains(area) {
            throw Refusal.notFound("the site has no area “\(area.prefix(100))”")
        }
        guard !areas.isEmpty else { throw Refusal.conflict("the shift has no to-do to mail") }
        guard Set(areas).count == areas.count else {
            throw Refusal.invalid("an area is named twice")
        }
        try transaction.countMails(areas.count * to.count)
        let orders = areas.enumerated().map { number, area in
            MailOrder(
                key: "todos/\(transaction.id)/\(number + 1)", shift: row.shift.id, area: area,
                to: to,
                head: row.head)
        }
        for order in orders { try order.save(transaction.db) }
        return ListsMailed(keys: orders.map(\.key), to: to)
    }

    /// Requests the mail of the sealed pre-shift lists, if the site has set addresses for it. It
    /// isn't counted, because nothing may keep a shift from ending; few shifts begin in a day.
    static func orderSealedLists(
        _ row: ShiftRow, _ state: ShiftState, in transaction: Transaction
    ) throws {
        let hasList = state.lists.templates.contains { $0.kind == .preShift }
        guard hasList, !state.settings.mailTo.isEmpty else { return }
        try MailOrder(
            key: "pre-shift/\(row.shift.id)", shift: row.shift.id, area: "",
            to: state.settings.mailTo, head: row.head
        ).save(transaction.db)
    }

    private static func finish(
        _ made: (order: MailOrder, state: ShiftState), _ mail: PaperMail,
        in transaction: Transaction
    ) throws {
        try transaction.request(mail.request)
        try made.order.delete(transaction.db)
    }
}
