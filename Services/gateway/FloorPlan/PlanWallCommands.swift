import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech

extension PlanCommand {
    /// `steward plan wall`
    struct DrawWall: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "wall", abstract: "Draws a wall, or several one after another.",
            discussion: """
                A wall goes from one corner to the next: to a place (--to), or by a length in a \
                direction. Walls with the same corner are joined. Without --from it begins at the \
                end of the last wall. Four walls of a room of 4 by 3 metres:

                  steward plan wall --from 0,0 --to 4000,0 --to 4000,3000 --to 0,3000 --close

                or by what was measured, wall after wall:

                  steward plan wall --from 0,0 --east 4m
                  steward plan wall --north 3m
                """)

        @Option(
            parsing: .unconditional,
            help: "Where it begins: 0,0 or the end of a wall, wall-2:end.",
            transform: PlanMeasure.place)
        var from: PlaceInPlan?
        @Option(
            parsing: .unconditionalSingleValue,
            help: "Where it ends; again for the next wall from there.",
            transform: PlanMeasure.place)
        var to: [PlaceInPlan] = []
        @Flag(help: "Lead back to the first corner at the end.")
        var close = false
        @OptionGroup var directions: DirectionOptions
        @Option(help: "Its length, with --angle.", transform: PlanMeasure.length)
        var length: UInt32?
        @Option(
            parsing: .unconditional,
            help: "Its direction in degrees: 0 is east, 90 north.", transform: PlanMeasure.angle)
        var angle: UInt32?
        @Option(
            help: "Its thickness; 0 for a line that only divides. Default: 100.",
            transform: PlanMeasure.length)
        var thickness: UInt32?
        @Option(help: "Its height.", transform: PlanMeasure.length)
        var height: UInt32?
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            let ways =
                (to.isEmpty ? 0 : 1) + directions.count + (length == nil && angle == nil ? 0 : 1)
            guard ways == 1 else {
                throw ValidationError(
                    "say where the wall leads, in one way: --to X,Y, or --east, --north, --west "
                        + "or --south with a length, or --length with --angle")
            }
            guard (length == nil) == (angle == nil) else {
                throw ValidationError("--length and --angle go together")
            }
            guard !close || to.count > 1 else {
                throw ValidationError("--close needs at least two walls: give --to several times")
            }
            guard to.count < 2 || new.id.isEmpty else {
                throw ValidationError("--as names one wall, and these are several")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let start = try from.map(plan.point) ?? plan.lastEnd()
            var corners = [start]
            corners += to.isEmpty ? [course.end(from: start)] : try to.map(plan.point)
            if close { corners.append(start) }
            return [
                .add(
                    zip(corners, corners.dropFirst()).map { start, end in
                        .wall(
                            Wall(
                                id: new.id, start: start, end: end, thickness: thickness ?? 100,
                                height: height ?? 0, label: new.label))
                    })
            ]
        }

        private var course: WallCourse {
            if let east = directions.east { return .horizontal(east) }
            if let west = directions.west { return .horizontal(-west) }
            if let north = directions.north { return .vertical(north) }
            if let south = directions.south { return .vertical(-south) }
            return .directed(length: length ?? 0, angle: angle ?? 0)
        }
    }

    /// The wall, place and size of an opening.
    struct HoleOptions: ParsableArguments {
        @Argument(help: "The wall: its id or label.")
        var wall: String
        @Option(
            help: """
                From the face of the wall that meets this one at its start, inside the room, to \
                the nearer edge of the opening.
                """, transform: PlanMeasure.length)
        var offset: UInt32?
        @Option(
            help: """
                From which corner --offset is measured: start, end, or the wall that meets this \
                one there. Default: start.
                """)
        var from: WallCorner?
        @Option(
            help: "The same as --offset, from the corner at the wall's end.",
            transform: PlanMeasure.length)
        var fromEnd: UInt32?
        @Option(
            name: .customLong("in"),
            help: ArgumentHelp(
                "The room in which you measured. Default: the first along the wall.",
                valueName: "room"))
        var inside: String?
        @Option(
            help: "Width of the opening, frame included.", transform: PlanMeasure.length)
        var width: UInt32
        @Option(help: "Height of the opening.", transform: PlanMeasure.length)
        var height: UInt32?

        func validate() throws {
            guard (offset == nil) != (fromEnd == nil) else {
                throw ValidationError(
                    "say where in the wall: --offset from its start, or --from-end from its end")
            }
            guard from == nil || offset != nil else {
                throw ValidationError("--from says where --offset begins; give --offset too")
            }
        }

        /// The opening as described by the options.
        func opening(
            _ kind: OpeningKind, _ new: NewItemOptions, _ plan: PlanAtHand,
            in room: String? = nil
        ) throws -> Opening {
            let corner = from ?? (fromEnd == nil ? .start : .end)
            let place = try PlaceAlongWall(
                plan.wall(wall), from: corner, in: inside ?? room, plan)
            return Opening(
                id: new.id, wall: place.wall.id, kind: kind,
                offset: try place.offset(offset ?? fromEnd ?? 0, width: width),
                width: width, height: height ?? 0, label: new.label)
        }
    }

    /// `steward plan door`
    struct DrawDoor: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "door", abstract: "Puts a door into a wall.",
            discussion: """
                Measure the clear width with the door open, and give it with --clear: whether a \
                wheelchair gets through is then known, not estimated. Look at the threshold too: \
                what nobody measured is unknown. A wall has a start and an end, as it was drawn; \
                left and right are seen from its start to its end. Measure --offset inside the \
                room, from the wall in the corner:

                  steward plan door room-1-wall-1 --offset 400 --width 900 --opens-into Bath
                  steward plan door wall-3 --offset 250 --width 900 --clear 790 --threshold 0
                """)

        @OptionGroup var hole: HoleOptions
        @Option(
            help: "The clear width when it is open.",
            transform: PlanMeasure.length)
        var clear: UInt32?
        @Option(help: "The width of the door leaf.", transform: PlanMeasure.length)
        var leaf: UInt32?
        @Option(
            help: "The height of the threshold; 0 for none. Default: not measured.",
            transform: PlanMeasure.length)
        var threshold: UInt32?
        @Option(help: "Where its hinges are: start or end. Default: start.")
        var hinges: EndArgument = .start
        @Option(help: "The side to which it swings: left or right of the wall. Default: left.")
        var swing: SideArgument?
        @Option(
            help: ArgumentHelp(
                "The room into which it opens, instead of --swing.", valueName: "room"))
        var opensInto: String?
        @Flag(help: "It slides along or into the wall.")
        var sliding = false
        @Flag(help: "It is an entrance of the dwelling.")
        var entrance = false
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard swing == nil || opensInto == nil else {
                throw ValidationError("--swing and --opens-into can't be used together")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            var door = try hole.opening(
                sliding ? .slidingDoor : .door, new, plan, in: opensInto)
            (door.clearWidth, door.leafWidth) = (clear, leaf)
            (door.threshold, door.thresholdUnknown) = (threshold ?? 0, threshold == nil)
            (door.hingesAtEnd, door.swingsRight) = (hinges == .end, swing == .right)
            if let opensInto {
                door.swingsRight = try !PlaceAlongWall(
                    plan.wall(hole.wall), from: .start, in: opensInto, plan
                ).face.isLeft
            }
            door.entrance = entrance
            return [.add([.opening(door)])]
        }
    }

    /// `steward plan window`
    struct DrawWindow: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "window", abstract: "Puts a window into a wall.")

        @OptionGroup var hole: HoleOptions
        @Option(help: "From the floor to its lower edge.", transform: PlanMeasure.length)
        var sill: UInt32?
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            var window = try hole.opening(.window, new, plan)
            window.sill = sill ?? 0
            return [.add([.opening(window)])]
        }
    }

    /// `steward plan passage`
    struct DrawPassage: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "passage", abstract: "Puts a passage without a door into a wall.")

        @OptionGroup var hole: HoleOptions
        @Option(
            help: "The height of the threshold; 0 for none. Default: not measured.",
            transform: PlanMeasure.length)
        var threshold: UInt32?
        @Flag(help: "It is an entrance of the dwelling.")
        var entrance = false
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            var passage = try hole.opening(.passage, new, plan)
            (passage.threshold, passage.thresholdUnknown) = (threshold ?? 0, threshold == nil)
            passage.entrance = entrance
            return [.add([.opening(passage)])]
        }
    }
}

/// One of the two ends of a wall, as it is typed.
enum EndArgument: String, ExpressibleByArgument, CaseIterable {
    case start
    case end
}

/// A side of a wall, seen from its start to its end, as it is typed.
enum SideArgument: String, ExpressibleByArgument, CaseIterable {
    case left
    case right
}
