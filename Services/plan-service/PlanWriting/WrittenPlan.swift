import Messages

/// Writes floor plans as files, and defines what their readers have to know. `PlanFiles` reads
/// them; that takes more code than a service should contain.
package enum WrittenPlan {
    /// The version of a native file. It is raised when an older reader would misread one.
    package static let version: UInt32 = 1

    /// The elements of both forms of XML that are openings in walls.
    package static let openings: [String: OpeningKind] = [
        "door": .door, "slidingDoor": .slidingDoor, "window": .window, "passage": .passage,
        "opening": .unspecified,
    ]

    /// A native file (`.nav`): all of a plan, exactly. The same plan gives the same bytes.
    package static func native(_ details: PlanDetails, _ items: [PlanItem]) -> [UInt8] {
        NativeWriter.bytes(details, items)
    }

    /// BoligApp's XML, in centimetres: the walls' lines with their doors and windows, and the
    /// rectangles. ``leftOutOfBoligXML(_:_:)`` says what it can't hold.
    package static func boligXML(_ details: PlanDetails, _ items: [PlanItem]) -> [UInt8] {
        BoligWriter.bytes(details, items)
    }

    /// What ``boligXML(_:_:)`` leaves out of a plan, in words for a person.
    package static func leftOutOfBoligXML(_ details: PlanDetails, _ items: [PlanItem]) -> [String] {
        BoligWriter.leftOut(details, items)
    }
}
