import FloorPlan

/// What a plan covers and what it is measured by, computed once for everything that a picture
/// needs.
struct PlanMeasures {
    /// The directions along which the plan is measured.
    let frame: PlanFrame
    /// The outlines of the walls.
    let outlines: WallOutlines
    /// The area that everything in the plan covers; a square metre if there is nothing.
    let home: Bounds
    /// The same, along the frame.
    let extent: Bounds
    /// What is measured, along the frame: the plan's walls, or its rooms if it has no walls.
    let measured: Bounds
    /// The clear widths of the doors and passages, by their ids.
    let clearWidths: [String: ClearWidth]

    init(_ plan: FloorPlan, along frame: PlanFrame) {
        self.frame = frame
        // Always in the same order, so that a plan is drawn the same way each time.
        outlines = WallOutlines(plan.walls.values.sorted { $0.id < $1.id })
        let walls = outlines.outlines.values.flatMap(\.corners)
        clearWidths = plan.clearWidths(amongWalls: plan.standingWalls)
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
