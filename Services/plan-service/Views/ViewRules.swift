import FloorPlan
import Messages

/// The rules of zoom and pan.
extension PlanView {
    /// The range of a view's width, in millimetres.
    static let widths: ClosedRange<Int64> = 100...4_000_000

    /// The view after a change.
    ///
    /// - Parameter bounds: returns the bounds of everything in the plan; called if the view shows
    ///   all of it.
    /// - Throws: a refusal of zoom and pan while they are locked.
    func changed(
        by change: ChangePlanView, bounds: () throws -> Bounds
    ) throws -> PlanView {
        var view = self
        if change.unlock { view.locked = false }
        let isMoved = change.zoom != nil || change.pan != nil || change.fit
        guard !isMoved || !view.locked else {
            throw Refusal.conflict(
                "zoom and pan are locked in your view of this plan; unlock them first")
        }
        if change.fit { (view.centre, view.width) = (nil, 0) }
        if change.zoom != nil || change.pan != nil, view.width == 0 {
            view = view.fitted(to: try bounds())
        }
        if let zoom = change.zoom {
            guard (1...1_000_000).contains(zoom) else {
                throw Refusal.invalid("the zoom is a factor of 0.01 to 10000")
            }
            let width = Int64(view.width) * 100 / Int64(zoom)
            view.width = UInt32(min(max(width, Self.widths.lowerBound), Self.widths.upperBound))
        }
        if let pan = change.pan {
            let (centre, farthest) = (view.centre ?? PlanPoint(), FloorPlan.farthest)
            func kept(_ place: Int32, _ way: Int32) -> Int32 {
                Int32(min(max(Int64(place) + Int64(way), -Int64(farthest)), Int64(farthest)))
            }
            view.centre = PlanPoint(x: kept(centre.x, pan.x), y: kept(centre.y, pan.y))
        }
        if change.lock { view.locked = true }
        return view
    }

    /// The view of a whole plan as a place and a width: twenty metres for an empty one.
    private func fitted(to bounds: Bounds) -> PlanView {
        var view = self
        guard !bounds.isEmpty else {
            (view.centre, view.width) = (PlanPoint(), 20_000)
            return view
        }
        view.centre = PlanPoint(bounds.centre)
        let width = Int64((max(bounds.size.x, bounds.size.y) * 1.1).rounded(.up))
        view.width = UInt32(min(max(width, Self.widths.lowerBound), Self.widths.upperBound))
        return view
    }
}

extension FloorPlan {
    /// The bounds of everything in it.
    var bounds: Bounds {
        var bounds = Bounds([])
        for wall in walls.values { bounds = bounds.union(wall.rectangle.bounds) }
        for element in elements.values { bounds = bounds.union(element.rectangle.bounds) }
        for room in rooms.values { bounds = bounds.union(Bounds(room.corners.map(\.vector))) }
        return bounds
    }
}
