import Bus
import Messages
import ServiceRuntime

/// Keeps floor plans: how a home is, what stands in it, and whether somebody in a chair can live
/// there.
@main struct PlanService: Service {
    static let name = ServiceName.plan
    static let migrator = PlanStore.migrator

    static var commands: [CommandHandler] { Plans.commands }
    static var queries: [QueryHandler] { Plans.queries }
    static var access: [String: Access] {
        [Plans.access].reduce(into: [:]) { $0.merge($1) { $1 } }
    }
}
