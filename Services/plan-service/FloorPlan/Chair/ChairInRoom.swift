extension ChairSpace {
    /// True if the shape is wholly inside an area at some of the places. For ``Bound/possibly``,
    /// false means that it certainly never is.
    package func enters(_ area: Polygon, _ places: Reach) -> Bool {
        guard let window = GridWindow(area.bounds, of: frame) else { return false }
        var painter = painter(of: area, on: window.frame)
        let mask = mask(area, on: window.frame)
        for layer in steps.indices {
            var found = window.frame.empty()
            for heading in stride(from: layer, to: headings, by: steps.count) {
                found.formUnion(window.part(of: places.layers[heading]))
            }
            found.formIntersection(mask)
            guard !found.isEmpty else { continue }
            found.formIntersection(painter.places(shape, layer: layer, resolution, bound))
            if !found.isEmpty { return true }
        }
        return false
    }

    /// Those of the places at which the shape is wholly inside an area.
    func places(_ places: Reach, whollyIn area: Polygon) -> Reach {
        var painter = painter(of: area, on: frame)
        let mask = mask(area)
        let inside = steps.indices.map { layer in
            var grid = painter.places(shape, layer: layer, resolution, bound)
            grid.formIntersection(mask)
            return grid
        }
        return Reach(
            layers: places.layers.enumerated().map { heading, layer in
                var layer = layer
                layer.formIntersection(inside[heading % inside.count])
                return layer
            })
    }

    /// True if a shape that looks the same after half a turn can make half a turn in an area,
    /// beginning at one of the places: wholly inside, and clear of some more obstacles, all the
    /// time. For ``Bound/possibly``, false means that it certainly can't.
    package func turns(
        whollyIn area: Polygon, clearOf obstacles: [ConvexPolygon], _ places: Reach
    ) -> Bool {
        guard let window = GridWindow(area.bounds, of: frame) else { return false }
        let mask = mask(area, on: window.frame)
        var start = (0..<headings).map { _ in window.frame.empty() }
        start[0] = window.part(of: places.layers[0])
        start[0].formIntersection(mask)
        guard !start[0].isEmpty else { return false }
        var painter = painter(of: area, clearOf: obstacles, on: window.frame)
        let moves: [Steps]
        switch bound {
        case .surely:
            moves = steps.indices.map { layer in
                painter.sweeps(shape, layer: layer, resolution)
                    .limited(to: steps[layer], in: window)
            }
        case .possibly:
            let free = steps.indices.map { layer in
                var grid = painter.cores(shape, layer: layer, resolution)
                grid.formIntersection(window.part(of: steps[layer].places))
                grid.formIntersection(mask)
                return grid
            }
            moves = free.indices.map { Steps(within: free[$0], free[($0 + 1) % free.count]) }
        }
        start[0].formIntersection(moves[0].places)
        var flood = Flood(reached: start, steps: moves, within: nil)
        return !flood.run()[headings / 2].isEmpty
    }

    /// Finds the squares where a shape is wholly inside an area and meets none of the obstacles.
    private func painter(
        of area: Polygon, clearOf obstacles: [ConvexPolygon] = [], on frame: GridFrame
    ) -> Painter {
        var inside = frame.empty()
        frame.fill(area.corners, in: &inside, true)
        let sides = area.sides.filter { $0.length > 0 }
            .map { ConvexPolygon(counterClockwise: [$0.start, $0.end]) }
        return Painter(frame: frame, inside: inside, barriers: sides + obstacles)
    }
}
