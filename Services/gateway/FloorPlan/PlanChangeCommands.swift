import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech

extension PlanCommand {
    /// `steward plan resize`
    struct ResizeThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "resize", abstract: "Resizes a thing, door or window.",
            discussion: "“steward plan length” changes the length of a wall.")

        @Argument(help: "Its id or label.")
        var thing: String
        @Option(help: "Width and depth: 900x2000.", transform: PlanMeasure.size)
        var size: PlanSize?
        @Option(help: "Its width.", transform: PlanMeasure.length)
        var width: UInt32?
        @Option(
            help: "From front to rear; a door or window has none.", transform: PlanMeasure.length)
        var depth: UInt32?
        @Option(help: "Its height.", transform: PlanMeasure.length)
        var height: UInt32?
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard size != nil || width != nil || depth != nil || height != nil else {
                throw ValidationError("say the size: --size 900x2000, --width, --depth, --height")
            }
            guard size == nil || width == nil && depth == nil else {
                throw ValidationError("--size has the width and depth in it; say them once")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [
                PlanAction(
                    action: .resize(
                        ResizeItem(
                            id: try plan.item(thing).id, width: size?.width ?? width,
                            depth: size?.depth ?? depth, height: height)))
            ]
        }
    }

    /// `steward plan length`
    struct SetLength: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "length",
            abstract: "Changes the length of a wall; walls joined to it follow.")

        @Argument(help: "The wall: its id or label.")
        var wall: String
        @Argument(help: "From corner to corner.", transform: PlanMeasure.length)
        var length: UInt32
        @Option(help: "Which end stays: start or end.")
        var keep: EndArgument = .start
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [
                PlanAction(
                    action: .setLength(
                        SetWallLength(
                            wall: try plan.wall(wall).id, length: length, keepEnd: keep == .end)))
            ]
        }
    }

    /// `steward plan turn`
    struct TurnOneWall: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "turn",
            abstract: "Turns a wall about one of its ends; walls joined to the other follow.")

        @Argument(help: "The wall: its id or label.")
        var wall: String
        @Option(
            parsing: .unconditional,
            help: "How far in degrees, counter-clockwise; clockwise with a minus.",
            transform: PlanMeasure.turn)
        var by: Int32
        @Option(help: "The end that stays: start or end.")
        var about: EndArgument = .start
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [
                PlanAction(
                    action: .turnWall(
                        TurnWall(wall: try plan.wall(wall).id, aboutEnd: about == .end, by: by)))
            ]
        }
    }

    /// `steward plan angle`
    struct SetAngle: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "angle", abstract: "Sets the angle between two walls that share a corner.",
            discussion: "steward plan angle wall-2 wall-1 --to 90")

        @Argument(help: "The wall that turns.")
        var wall: String
        @Argument(help: "The wall that stays.")
        var with: String
        @Option(help: "The angle between them, up to 180 degrees.", transform: PlanMeasure.angle)
        var to: UInt32
        @Flag(help: "Move it to the other side of the wall that stays.")
        var opposite = false
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard to <= 180_000 else {
                throw ValidationError("the angle between two walls is at most 180 degrees")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [
                PlanAction(
                    action: .setAngle(
                        SetWallAngle(
                            wall: try plan.wall(wall).id, with: try plan.wall(with).id, angle: to,
                            opposite: opposite)))
            ]
        }
    }

    /// `steward plan label`
    struct LabelThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "label", abstract: "Gives a thing, wall or room a name for people.")

        @Argument(help: "Its id or label.")
        var thing: String
        @Argument(help: "Its new name; '' removes the name.")
        var label: String
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let item = try plan.item(thing)
            return [.replace(try item.labelled(label))]
        }
    }

    /// `steward plan change`
    struct ChangeThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Changes properties of a thing, door, wall or room.",
            discussion: """
                Options that aren't given change nothing.

                  steward plan change door-1 --clear 824 --threshold 15 --hinges end
                  steward plan change wall-1 --thickness 120
                  steward plan change room-1 --use bathroom
                  steward plan change wheelchair-1 --turning 1500 --axle 300
                """)

        @Argument(help: "Its id or label.")
        var thing: String
        @OptionGroup var traits: PlanTraits
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard !traits.isEmpty else {
                throw ValidationError("say what to change; see steward plan change --help")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [.replace(try traits.applied(to: try plan.item(thing)))]
        }
    }
}

extension PlanItem {
    /// The same item with another label.
    fileprivate func labelled(_ label: String) throws -> Item {
        switch item {
        case .wall(var wall):
            wall.label = label
            return .wall(wall)
        case .opening(var opening):
            opening.label = label
            return .opening(opening)
        case .room(var room):
            room.name = label
            return .room(room)
        case .element(var element):
            element.label = label
            return .element(element)
        case nil: throw Failure(.broken, "\(id) is nothing")
        }
    }
}
