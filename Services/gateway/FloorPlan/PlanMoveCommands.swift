import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech

extension PlanCommand {
    /// `steward plan move`
    struct MoveThings: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Moves things.",
            discussion: """
                Walls joined to a moved wall follow; a door or window moves along its wall. A \
                thing that would overlap another is not moved, except with --force.

                  steward plan move bed-1 --to 1000,1200
                  steward plan move bed-1 table-1 --west 20cm
                  steward plan move toilet-1 --against wall-3 --from end --offset 400
                """)

        @Argument(help: ArgumentHelp("Its id or label; several move together.", valueName: "thing"))
        var things: [String]
        @Option(
            parsing: .unconditional,
            help: "Where its centre should be; of a wall its start, of a room its first corner.",
            transform: PlanMeasure.place)
        var to: PlaceInPlan?
        @Option(
            parsing: .unconditional, help: "How far to move it east and north: 100,-50.",
            transform: PlanMeasure.offset)
        var by: PlanPoint?
        @OptionGroup var directions: DirectionOptions
        @OptionGroup var wall: AgainstOptions
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            let ways = [to != nil, by != nil, directions.count > 0, wall.isGiven]
            guard ways.filter({ $0 }).count == 1 else {
                throw ValidationError(
                    "say where to, in one way: --to X,Y, --by X,Y, --against WALL, or --east, "
                        + "--north, --west, --south")
            }
            guard to == nil && !wall.isGiven || things.count == 1 else {
                throw ValidationError(
                    "--to and --against move one thing; move several with --by or --east …")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            if wall.isGiven, let thing = things.first { return try stood(thing, plan) }
            let offset: PlanPoint
            if let to, let thing = things.first {
                offset = try plan.item(thing).anchor(moving: thing)
                    .offset(to: try plan.point(to))
            } else {
                offset = by ?? directions.offset
            }
            return [PlanAction(action: .move(MoveItems(ids: try plan.ids(things), by: offset)))]
        }

        private func stood(_ thing: String, _ plan: PlanAtHand) throws -> [PlanAction] {
            let element = try plan.element(thing)
            guard
                let (place, angle) = try wall.stand(
                    width: element.width, depth: element.depth, plan)
            else { return [] }
            var moved = element
            (moved.centre, moved.angle) = (place, angle)
            return [.replace(.element(moved))]
        }
    }

    /// `steward plan dock`
    struct DockHole: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "dock", abstract: "Moves a door or window within its wall, or to another."
        )

        @Argument(help: "The door or window: its id or label.")
        var opening: String
        @Option(help: "The wall. Default: the one where it is.")
        var wall: String?
        @Option(
            help: """
                From the face of the wall that meets this one at its start, inside the room, to \
                the nearer edge of the opening.
                """, transform: PlanMeasure.length)
        var offset: UInt32
        @Option(
            help: """
                From which corner --offset is measured: start, end, or the wall that meets this \
                one there. Default: start.
                """)
        var from: WallCorner?
        @Option(
            name: .customLong("in"),
            help: ArgumentHelp(
                "The room in which you measured. Default: the first along the wall.",
                valueName: "room"))
        var inside: String?
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let opening = try plan.opening(opening)
            let place = try PlaceAlongWall(
                plan.wall(wall ?? opening.wall), from: from ?? .start, in: inside, plan)
            return [
                PlanAction(
                    action: .dock(
                        DockOpening(
                            opening: opening.id, wall: place.wall.id,
                            offset: try place.offset(offset, width: opening.width))))
            ]
        }
    }

    /// `steward plan rotate`
    struct RotateThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Turns a thing; use steward plan turn for walls.")

        @Argument(help: "Its id or label.")
        var thing: String
        @Option(
            parsing: .unconditional, help: "Its new angle, in degrees.",
            transform: PlanMeasure.angle)
        var to: UInt32?
        @Option(
            parsing: .unconditional,
            help: "How far to turn it, counter-clockwise; clockwise with a minus.",
            transform: PlanMeasure.turn)
        var by: Int32?
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard (to == nil) != (by == nil) else {
                throw ValidationError("say how far: --to 90 or --by 90, in degrees")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let element = try plan.element(thing)
            let turned = (Int64(element.angle) + Int64(by ?? 0)) % 360_000
            let angle = to ?? UInt32((turned + 360_000) % 360_000)
            return [
                PlanAction(action: .rotate(RotateElement(element: element.id, angle: angle)))
            ]
        }
    }

    /// `steward plan copy-item`
    struct CopyThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy-item",
            abstract: "Copies a thing; a wall is copied with its doors and windows.")

        @Argument(help: "Its id or label.")
        var thing: String
        @Option(
            parsing: .unconditional, help: "The offset of the copy, east and north.",
            transform: PlanMeasure.offset)
        var by: PlanPoint?
        @Option(
            parsing: .unconditional,
            help: "Where its centre should be; of a wall its start, of a room its first corner.",
            transform: PlanMeasure.place)
        var to: PlaceInPlan?
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("Its id in the plan. Default: the next free one.", valueName: "id"))
        var id: String = ""
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard (to == nil) != (by == nil) else {
                throw ValidationError("say where the copy stands: --to X,Y or --by X,Y")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let item = try plan.item(thing)
            var offset = by ?? PlanPoint()
            if let to { offset = try item.anchor(moving: thing).offset(to: try plan.point(to)) }
            return [
                PlanAction(action: .copy(CopyItem(id: item.id, newId: id, by: offset)))
            ]
        }
    }

    /// `steward plan corner`
    struct MoveWallCorner: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "corner", abstract: "Moves a corner with all the walls joined there.",
            discussion: "steward plan corner wall-1:end --to 4200,0")

        @Argument(
            help: "The corner: an end of a wall, wall-1:end, or its place, 4000,0.",
            transform: PlanMeasure.place)
        var corner: PlaceInPlan
        @Option(
            parsing: .unconditional, help: "Its new place.", transform: PlanMeasure.place)
        var to: PlaceInPlan
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [
                PlanAction(
                    action: .moveCorner(
                        MoveCorner(from: try plan.point(corner), to: try plan.point(to))))
            ]
        }
    }

    /// `steward plan remove`
    struct RemoveThings: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes things; a wall is removed with its doors and windows.")

        @Argument(
            help: ArgumentHelp("Its id or label; several are removed together.", valueName: "thing")
        )
        var things: [String]
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [PlanAction(action: .remove(RemoveItems(ids: try plan.ids(things))))]
        }
    }
}

extension PlanItem {
    /// The reference point for moving it to a place.
    fileprivate func anchor(moving typed: String) throws -> PlanPoint {
        switch item {
        case .wall(let wall): return wall.from
        case .room(let room): return room.corners.first ?? PlanPoint()
        case .element(let element): return element.centre ?? PlanPoint()
        case .opening, nil:
            throw Failure(
                .usage, "\(typed.printable) is in a wall, so it has no place of its own",
                advice: "say where in the wall: steward plan dock \(id.printable) --offset 300")
        }
    }
}

extension PlanPoint {
    /// The offset to another place.
    fileprivate func offset(to other: PlanPoint) -> PlanPoint {
        PlanPoint(
            x: Int32(clamping: Int64(other.x) - Int64(x)),
            y: Int32(clamping: Int64(other.y) - Int64(y)))
    }
}
