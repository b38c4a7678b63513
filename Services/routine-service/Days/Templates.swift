import Messages
import RoutineDay
import ServiceRuntime

/// Handles templates: days that are used again.
enum TemplateHandling {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .person),
            .command(forget, .person),
            .query(list, .account),
        ]
    }

    static func keep(_ command: KeepTemplate, in transaction: Transaction) throws -> DayTemplate {
        let person = try transaction.person(command.person, toChange: true)
        let name = command.name.tidied
        try validateText(name, "the name of a template", 1...80)
        let date = try transaction.date(command.date, of: person, mayBePast: true)
        let day = try transaction.day(date, of: person)
        let others = try DayTemplate.all(of: person.account, transaction.db)
            .filter { $0.name.nameKey != name.nameKey }
        guard others.count < RoutineLimits.templates else {
            throw Refusal.conflict(
                "there are \(others.count) templates already; forget one that is not used")
        }
        let template = DayTemplate(
            name: name, routines: day.items.filter { !$0.isAppointment }.map(\.routine),
            appointments: day.items.filter { $0.isAppointment && $0.event.isEmpty }
                .map { Appointment($0) })
        let bytes = others.reduce(template.packed().count) { $0 + $1.packed().count }
        guard bytes <= RoutineHandling.mostBytes else {
            throw Refusal.conflict("the templates are full; forget one that is not used")
        }
        try template.save(of: person.account, transaction.db)
        return template
    }

    static func forget(
        _ command: ForgetTemplate, in transaction: Transaction
    ) throws -> DayTemplate {
        let person = try transaction.person(command.person, toChange: true).account
        guard let template = try DayTemplate.named(command.name, of: person, transaction.db) else {
            throw Refusal.noTemplate(command.name)
        }
        guard try !WeekRhythm.of(person, transaction.db).uses(template.name) else {
            throw Refusal.conflict(
                "“\(template.name)” is in the weekly rhythm; take it out there first: steward day "
                    + "rhythm")
        }
        try template.delete(of: person, transaction.db)
        return template
    }

    static func list(
        _ query: ListDayTemplates, in transaction: Transaction
    ) throws -> DayTemplates {
        let person = try transaction.person(query.person, toChange: false).account
        return DayTemplates(templates: try DayTemplate.all(of: person, transaction.db))
    }
}

extension Refusal {
    /// The refusal for a template that doesn't exist.
    static func noTemplate(_ name: String) -> Refusal {
        .notFound("there is no template “\(name.prefix(100))”; see steward day templates")
    }
}
