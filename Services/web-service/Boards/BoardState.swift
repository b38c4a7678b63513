import Bus
import Messages
import ShiftLog

/// The contents of a board at a moment.
struct BoardState: Sendable {
    /// The open shift; nil if none is open.
    var shift: ShiftState?
    /// When checklist-service last answered, milliseconds since 1970; 0 for never.
    var heard: Int64
    /// The service that can't be reached; nil if it can.
    var obstacle: ServiceName?
    /// The equipment that doesn't work at the site, each piece with its newest report.
    var equipment: [Equipment] = []
}
