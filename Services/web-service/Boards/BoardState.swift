import Bus
import Messages
import ShiftLog

/// What is known of a board at a moment.
struct BoardState: Sendable {
    /// The open shift; nil if none is open.
    var shift: ShiftState?
    /// When checklist-service last answered, milliseconds since 1970; 0 for never.
    var heard: Int64
    /// The service that can't be reached; nil if it can.
    var obstacle: ServiceName?
    /// What doesn't work at the site, each with its newest report.
    var equipment: [Equipment] = []
}
