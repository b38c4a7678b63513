import FloorPlan

/// What a plan covers and what it is measured by: taken once for all that a picture of it needs.
struct PlanMeasures {
    /// Along which the plan is measured.
    let frame: PlanFrame
    /// The outlines of the walls.
    let outlines: WallOutlines
    /// What everything in the plan covers; a square metre when there is nothing.
    let home: Bounds
    /// The same, along the frame.
    let extent: Bounds
    /// What the plan is measured by, along the frame: its walls, or its rooms where it has none.
    let measured: Bounds
    /// What a door meets first before it is fully open, by the id of the door.
    let doorStops: [String: DoorStop]

    init(_ plan: FloorPlan, along frame: PlanFrame) {
        self.frame = frame
        // In one order, so that a plan is drawn alike each time.
        outlines = WallOutlines(plan.walls.values.sorted { $0.id < $1.id })
        let walls = outlines.outlines.values.flatMap(\.corners)
        doorStops = plan.doorStops(amongWalls: plan.standingWalls).compactMapValues(\.first)
        let rooms = plan.rooms.values.flatMap(\.polygon.corners)
        var corners = walls + rooms
        for element in plan.elements.values { corners += element.outline.corners }
        for opening in plan.openings.values {
            corners += plan.walls[opening.wall]?.swing(of: opening)?.corners ?? []
        }
        func bounds(along frame: PlanFrame) -> Bounds {
            corners.isEmpty
                ? Bounds(low: Vector(-500, -500), high: Vector(500, 500))
                : frame.bounds(of: corners)
        }
        home = bounds(along: .upright)
        extent = bounds(along: frame)
        measured = frame.bounds(of: walls.isEmpty ? rooms : walls)
    }
}
