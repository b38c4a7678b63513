/// A process that binds endpoints: the one table from which every address is computed.
///
/// Add services only at the end, because a service's TCP ports follow from its position.
public enum ServiceName: String, CaseIterable, Sendable, Hashable {
    /// Follows journeys and raises the alert to get off.
    case transitAlert = "transit-alert-service"
    /// Keeps every service's alerts and delivers them to people.
    case notifier = "notifier"
    /// Keeps accounts and what each may do, and issues the tokens that prove it.
    case account = "account-service"
    /// Keeps the checklists of places that work in shifts, from the template to the archive.
    case checklist = "checklist-service"
    /// Keeps floor plans, and checks whether someone who uses a wheelchair can live there.
    case plan = "plan-service"
    /// Plans people's days, and goes through them with them.
    case routine = "routine-service"
    /// Keeps projects: their issues, who does them and when, and what moves when something changes.
    case project = "project-service"
    /// Shows all of it in browsers, and keeps their log-ins.
    case web = "web-service"
}
