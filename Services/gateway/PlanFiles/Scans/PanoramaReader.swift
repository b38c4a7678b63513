import FloorPlan
import Foundation
import Messages
import XMLText

/// Measures the room of a ``PanoramaFile``.
struct PanoramaReader {
    private let file: PanoramaFile
    private let json: JSONFile
    private var picture: Panorama
    /// One standard deviation of the camera's tilt, in radians.
    private var tilt: Double
    private var draft: PlanDraft

    init(_ json: JSONFile, _ draft: PlanDraft) throws(Refusal) {
        self.json = json
        self.draft = draft
        file = try json.decode(PanoramaFile.self)
        picture = Panorama(
            width: file.image.width, height: file.image.height, camera: file.cameraHeight)
        tilt = (file.deviation?.tilt ?? 0.3) / 180 * .pi
        try validate()
    }

    private func validate() throws(Refusal) {
        guard file.panorama == PanoramaFile.version else {
            throw json.refusal(
                "panorama", "is \(file.panorama), and this program knows \(PanoramaFile.version)",
                "update this program")
        }
        guard (16...100_000).contains(picture.width), (8...50_000).contains(picture.height) else {
            throw json.refusal(
                "image", "is \(picture.width) x \(picture.height) pixels",
                "give its width, 16 to 100000, and its height, 8 to 50000")
        }
        guard (100...10_000).contains(picture.camera) else {
            throw json.refusal(
                "cameraHeight", "is \(picture.camera)", "give 100 to 10000 millimetres")
        }
        if let height = file.ceilingHeight, !(picture.camera + 1...20_000).contains(height) {
            throw json.refusal(
                "ceilingHeight", "is \(height)", "give millimetres above the camera, up to 20000")
        }
        guard (3...200).contains(file.corners.count) else {
            throw json.refusal(
                "corners", "are \(file.corners.count)", "mark 3 to 200 corners in order")
        }
        guard (file.openings?.count ?? 0) <= 1_000 else {
            throw json.refusal("openings", "are over 1000", "mark those of this room")
        }
        for (index, corner) in file.corners.enumerated() {
            try validate(corner.u, corner.v, "corners[\(index)]")
            try validate(corner.u, corner.ceiling, "corners[\(index)]")
        }
        let deviation = file.deviation
        for (name, value, most) in [
            ("pixels", deviation?.pixels, 100.0), ("cameraHeight", deviation?.cameraHeight, 1_000),
            ("tilt", deviation?.tilt, 20),
        ] {
            guard let value, !(0...most).contains(value) else { continue }
            throw json.refusal("deviation.\(name)", "is \(value)", "give 0 to \(Int(most))")
        }
    }

    private func validate(_ u: Double, _ v: Double?, _ path: String) throws(Refusal) {
        guard (0..<picture.width).contains(u), (0..<picture.height).contains(v ?? 0) else {
            throw json.refusal(
                path, "is outside the picture",
                "u is below \(Int(picture.width)) and v below \(Int(picture.height))")
        }
    }

    mutating func plan() throws(Refusal) -> ImportedPlan {
        let isTaped = try fit()
        let corners = try places(in: picture)
        let ceiling = file.ceilingHeight ?? mean(ceilings(in: picture))
        warnOfCeilings()
        let count = corners.count
        for index in corners.indices
        where corners[index].distance(to: corners[(index + 1) % count]) < 10 {
            throw json.refusal(
                "corners[\((index + 1) % count)]", "is at the same place as the one before",
                "mark each corner once, in order")
        }
        let height = UInt32((ceiling ?? 0).rounded())
        let thickness = draft.options.wallThickness ?? RoomScanReader.standardThickness
        let sides = (1...count).map {
            Wall(id: "wall-\($0)", thickness: thickness, height: height)
        }
        guard let measured = MeasuredRoom(corners, walls: sides) else {
            throw json.refusal(
                "corners", "enclose no room: the outline crosses itself or is below 0.01 m²",
                "mark the corners in order")
        }
        let deviation = self.deviation(corners, isTaped: isTaped)
        let tolerance = UInt32(min(max((2 * deviation).rounded(.up), 1), 100_000))
        draft.details.tolerance = tolerance
        if 2 * deviation > Self.wide {
            let tape = isTaped ? "tape more walls" : "tape a wall or several"
            draft.warn(
                "lengths are off by up to \(tolerance) mm; \(tape), or take the picture nearer to "
                    + "the walls")
        }
        let name = file.name ?? ""
        let use = try roomUse()
        let walls = measured.walls.sorted { Self.number($0) < Self.number($1) }
        try addWalls(walls, corners)
        try draft.add(
            PlanItem(item: .room(measured.room("room-1", name: name, use: use, height: height))),
            at: .path("corners"))
        if !name.isEmpty { draft.details.name = String(name.prefix(100)) }
        return try draft.finished()
    }

    /// The tolerance above which there is a warning that the plan is uncertain, in millimetres.
    private static let wide = 60.0

    private static func number(_ wall: Wall) -> Int { Int(wall.id.dropFirst(5)) ?? 0 }

    private func roomUse() throws(Refusal) -> RoomUse {
        guard let word = file.use else { return ElementGuess.use(of: file.name ?? "") }
        guard let use = RoomUse.allCases.first(where: { $0.description == word }) else {
            throw json.refusal(
                "use", "is “\(word.shown())”",
                "write one of: " + RoomUse.allCases.map(\.description).joined(separator: ", "))
        }
        return use
    }

    /// The heights of the ceiling over the corners that are marked at both ends.
    private func ceilings(in picture: Panorama) -> [Double] {
        file.corners.compactMap { corner -> Double? in
            guard let v = corner.v, let above = corner.ceiling,
                let foot = picture.floorPoint(corner.u, v)
            else { return nil }
            let height = picture.ceilingHeight(corner.u, above, distance: foot.length)
            // While the camera's height is fitted it may be above every ceiling.
            return height >= picture.camera && height < 20_000 ? height : nil
        }
    }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    private mutating func warnOfCeilings() {
        let heights = ceilings(in: picture)
        guard let low = heights.min(), let high = heights.max(), high - low > 50 else { return }
        let taken = file.ceilingHeight == nil ? "the mean" : "ceilingHeight"
        draft.warn(
            .path("corners"),
            "give ceilings from \(Int(low)) to \(Int(high)) mm; \(taken) is taken")
    }

    private func places(in picture: Panorama) throws(Refusal) -> [Vector] {
        let ceiling = file.ceilingHeight ?? mean(ceilings(in: picture))
        var places: [Vector] = []
        for (index, corner) in file.corners.enumerated() {
            let path = "corners[\(index)]"
            let place: Vector?
            if let v = corner.v {
                place = picture.floorPoint(corner.u, v)
            } else if let above = corner.ceiling, let ceiling {
                place = picture.cornerBelow(corner.u, above, ceiling: ceiling)
            } else {
                throw json.refusal(
                    path, "has no v", "mark its foot, or its ceiling and give ceilingHeight")
            }
            // A pixel just below the horizon is kilometres away.
            guard let place, place.length <= Double(FloorPlan.largest) else {
                throw json.refusal(
                    path, "isn't below the horizon, or is over 200 m away",
                    "mark the corner where the walls meet the floor")
            }
            places.append(place)
        }
        return places
    }

    /// One standard deviation of a length read from a tape, in millimetres.
    private static let tapeDeviation = 5.0
    /// The number of standard deviations from which a length counts as misread.
    private static let misread = 3.0

    /// Fits the camera to the taped walls.
    /// - Returns: False if no wall was taped.
    private mutating func fit() throws(Refusal) -> Bool {
        let corners = try places(in: picture)
        var lengths: [PanoramaFit.Length] = []
        for (index, taped) in (file.taped ?? []).enumerated() {
            try validateWall(taped.wall, "taped[\(index)].wall")
            guard (10...Double(FloorPlan.largest)).contains(taped.length) else {
                throw json.refusal(
                    "taped[\(index)].length", "is \(taped.length)",
                    "give 10 to \(FloorPlan.largest) millimetres")
            }
            let (from, to) = (taped.wall - 1, taped.wall % corners.count)
            let seen = variance(corners[from], corners[to], tilt: 0)
            lengths.append(
                PanoramaFit.Length(
                    from: from, to: to, taped: taped.length,
                    deviation: (seen + Self.tapeDeviation * Self.tapeDeviation).squareRoot()))
        }
        guard !lengths.isEmpty else { return false }
        try validateScale(lengths, corners)
        let fit = PanoramaFit.of(picture, lengths, tilt: tilt) { picture in
            do { return try places(in: picture) } catch { return nil }
        }
        guard let fit, (0.5...2).contains(fit.picture.camera / picture.camera) else {
            throw json.refusal(
                "taped", "fit no picture of these corners",
                "check the lengths, the walls' numbers and the camera's height")
        }
        (picture, tilt) = (fit.picture, fit.tilt)
        let worst = fit.agreements.map { abs($0.residual) }.max() ?? 0
        // If two contradict each other, either may be wrong.
        for (index, agreement) in fit.agreements.enumerated()
        where abs(agreement.residual) > max(Self.misread, worst * 0.95) {
            draft.warn(
                .path("taped[\(index)]"),
                "says that wall \(lengths[index].from + 1) is \(Int(lengths[index].taped)) mm "
                    + "long, but it is \(Int(agreement.expected)) mm by the picture and what "
                    + "else was taped; measure it again, for all lengths suffer from it")
        }
        return true
    }

    /// Verifies that all taped lengths together, by least squares, are near those in the picture.
    private func validateScale(
        _ lengths: [PanoramaFit.Length], _ corners: [Vector]
    ) throws(Refusal) {
        var (product, square) = (0.0, 0.0)
        for length in lengths {
            let seen = corners[length.from].distance(to: corners[length.to])
            product += length.taped * seen
            square += seen * seen
        }
        let scale = product / square
        guard (0.5...2).contains(scale) else {
            throw json.refusal(
                "taped", "differ from the picture by a factor of \((scale * 100).rounded() / 100)",
                "check the lengths, the walls' numbers and the camera's height")
        }
    }

    private func validateWall(_ number: Int, _ path: String) throws(Refusal) {
        guard (1...file.corners.count).contains(number) else {
            throw json.refusal(
                path, "is \(number)", "give 1 to \(file.corners.count), by the corner it starts at")
        }
    }

    /// The largest standard deviation of a wall's length, in millimetres.
    ///
    /// An error of the camera's height scales all lengths alike, and a taped wall corrects it.
    private func deviation(_ corners: [Vector], isTaped: Bool) -> Double {
        let stretch = isTaped ? 0 : (file.deviation?.cameraHeight ?? 10) / picture.camera
        let squares = corners.indices.map { index -> Double in
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            let stretched = from.distance(to: to) * stretch
            return variance(from, to, tilt: tilt) + stretched * stretched
        }
        return (squares.max() ?? 0).squareRoot()
    }

    /// The variance of the distance between two corners: each is uncertain along the line of sight
    /// and across it.
    private func variance(_ from: Vector, _ to: Vector, tilt: Double) -> Double {
        let direction = (to - from).unit
        return [from, to].reduce(0) { sum, corner in
            let off = picture.deviation(
                atDistance: corner.length, pixels: file.deviation?.pixels ?? 2, tilt: tilt)
            let along = off.along * corner.unit.dot(direction)
            let across = off.across * corner.unit.cross(direction)
            return sum + along * along + across * across
        }
    }

    private mutating func addWalls(
        _ walls: [Wall], _ corners: [Vector]
    ) throws(Refusal) {
        var dock = OpeningDock()
        for (index, hole) in (file.openings ?? []).enumerated() {
            let path = "openings[\(index)]"
            try validateWall(hole.wall, "\(path).wall")
            try validate(hole.from.u, hole.from.v, "\(path).from")
            try validate(hole.to.u, hole.to.v, "\(path).to")
            try validate(0, hole.top, "\(path).top")
            let line = Segment(corners[hole.wall - 1], corners[hole.wall % corners.count])
            let (from, to) = (
                try place(hole.from, on: line, "\(path).from"),
                try place(hole.to, on: line, "\(path).to")
            )
            var opening = Opening(width: UInt32(max(from.distance(to: to).rounded(), 1)))
            opening.kind = try kind(hole, path)
            opening.label = hole.label ?? ""
            // A picture is marked where walls and floor meet, not at thresholds.
            opening.thresholdUnknown = opening.isPassable
            let wall = walls[hole.wall - 1]
            let sill = [(hole.from, from), (hole.to, to)].compactMap { edge, place in
                edge.v.map { picture.ceilingHeight(edge.u, $0, distance: place.length) }
            }
            if opening.kind == .window, !sill.isEmpty {
                let mean = sill.reduce(0, +) / Double(sill.count)
                opening.sill = try height(mean, wall, "\(path).from")
            }
            if let top = hole.top {
                let above = picture.ceilingHeight(hole.from.u, top, distance: from.length)
                let reached = try height(above, wall, "\(path).top")
                guard reached > opening.sill else {
                    throw json.refusal(
                        "\(path).top", "isn't above its lower edge", "mark its upper edge")
                }
                opening.height = reached - opening.sill
            }
            dock.dock(
                opening, named: opening.label.isEmpty ? hole.kind : opening.label,
                centre: (from + to) * 0.5, in: wall, at: .path(path), &draft)
        }
        for wall in walls {
            let path = FilePlace.path("corners[\(Self.number(wall) - 1)]")
            try draft.add(PlanItem(item: .wall(wall)), at: path)
            for (opening, place) in dock.openings(of: wall, &draft) {
                var opening = opening
                opening.id = draft.newID(opening.kind == .window ? "window" : "door")
                opening.hungUnknown = opening.kind == .door
                if opening.hungUnknown { draft.unhung.append(opening.id) }
                try draft.add(PlanItem(item: .opening(opening)), at: place)
            }
        }
    }

    private func kind(_ hole: PanoramaFile.Hole, _ path: String) throws(Refusal) -> OpeningKind {
        let kinds: [OpeningKind] = [.door, .slidingDoor, .window, .passage]
        guard let kind = kinds.first(where: { $0.description == hole.kind }) else {
            throw json.refusal(
                "\(path).kind", "is “\(hole.kind.shown())”",
                "write door, slidingDoor, window or passage")
        }
        return kind
    }

    /// A height above the floor, limited to that of the wall if known.
    private func height(
        _ measured: Double, _ wall: Wall, _ path: String
    ) throws(Refusal) -> UInt32 {
        let most = wall.height == 0 ? 20_000 : Double(wall.height)
        guard (-500...most + 500).contains(measured) else {
            throw json.refusal(
                path, "would be \(Int(min(max(measured, -1e6), 1e6))) mm above the floor",
                "mark an edge of the opening in its wall")
        }
        return UInt32(min(max(measured.rounded(), 0), most))
    }

    /// Where the line of sight to a column meets a wall; a column is more precise than a row.
    private func place(
        _ edge: PanoramaFile.Edge, on wall: Segment, _ path: String
    ) throws(Refusal) -> Vector {
        let sight = picture.sight(edge.u, edge.v ?? picture.height / 2 - 0.5).ground.unit
        let across = sight.cross(wall.along)
        let distance = wall.start.cross(wall.along) / across
        let place = sight * distance
        guard abs(across) > 1e-6 * wall.length, distance > 0,
            wall.distance(to: place) <= max(wall.length * 0.5, 500)
        else {
            throw json.refusal(
                path, "isn't seen in that wall", "check the wall's number and the pixel")
        }
        return place
    }
}
