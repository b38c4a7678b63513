/// The processes that bind endpoints: the one table from which every address is computed.
///
/// A service is only ever added at the end, because its TCP ports follow from its position.
public enum ServiceName: String, CaseIterable, Sendable, Hashable {
    /// Follows journeys and raises the alert to get off.
    case transitAlert = "transit-alert-service"
    /// Keeps every service's alerts and brings them to people.
    case notifier = "notifier"
    /// Knows who there is and what each may do, and gives the proof of it.
    case account = "account-service"
    /// Keeps the checklists of places that work in shifts, from the template to the archive.
    case checklist = "checklist-service"
    /// Keeps floor plans, and checks whether somebody in a chair can live there.
    case plan = "plan-service"
    /// Plans people's days, and goes through them with them.
    case routine = "routine-service"
}
