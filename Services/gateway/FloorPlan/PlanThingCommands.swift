import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech

extension PlanCommand {
    /// `steward plan room`
    struct DrawNewRoom: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "room", abstract: "Draws a room by its dimensions.",
            discussion: """
                Measure inside, from wall to wall. --walls also draws the walls around it. A room \
                that isn't a rectangle is drawn side after side; you may leave out the last one, \
                which leads back, and out: turns outward before a side, as at the corner of an L:

                  steward plan room Bath --at 0,0 --size 2100x3000 --walls 100 --use bathroom
                  steward plan room Hall --at 0,0 --sides 4000,2000,2000,out:1000,2000

                Sides turn counter-clockwise from the first one, which goes east; see --clockwise \
                and --angle.
                """)

        @Argument(help: "Its name.")
        var name: String
        @Option(
            parsing: .unconditional, help: "Its first corner. Default: 0,0.",
            transform: PlanMeasure.place)
        var at: PlaceInPlan?
        @Option(help: "A rectangle: its first side and the next.", transform: PlanMeasure.size)
        var size: PlanSize?
        @Option(help: "The lengths of its sides.", transform: PlanMeasure.sides)
        var sides: PlanSides?
        @Option(
            name: .customLong("corner"), parsing: .unconditionalSingleValue,
            help: "A corner; give three or more, for walls at any angle.",
            transform: PlanMeasure.place)
        var corners: [PlaceInPlan] = []
        @Flag(help: "The sides turn clockwise.")
        var clockwise = false
        @Option(
            parsing: .unconditional, help: "The direction of the first side. Default: 0, east.",
            transform: PlanMeasure.angle)
        var angle: UInt32?
        @Option(help: "The thickness of the walls around it.", transform: PlanMeasure.length)
        var walls: UInt32?
        @Option(help: "The height of its ceiling.", transform: PlanMeasure.length)
        var height: UInt32?
        @Option(help: ArgumentHelp("What it is used for: \(UseArgument.list).", valueName: "use"))
        var use: UseArgument?
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp(
                "Its id in the plan. Default: room and the next number.", valueName: "id"))
        var id: String = ""
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            let ways = [size != nil, sides != nil, !corners.isEmpty].filter { $0 }.count
            guard ways == 1 else {
                throw ValidationError(
                    "say how large it is, in one way: --size 4000x3000, --sides or --corner")
            }
            guard corners.isEmpty || at == nil && walls == nil && angle == nil && !clockwise else {
                throw ValidationError(
                    "--corner goes without --at, --walls, --angle and --clockwise; draw its walls "
                        + "with steward plan wall")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            var room = Room(id: id, name: name, use: use?.use ?? .unspecified, height: height ?? 0)
            guard corners.isEmpty else {
                room.corners = try corners.map(plan.point)
                return [.add([.room(room)])]
            }
            let drawn =
                sides
                ?? size.map { size in
                    PlanSides([size.width, size.depth, size.width].map { RoomSide(length: $0) })
                }
            return [
                PlanAction(
                    action: .drawRoom(
                        DrawRoom(
                            room: room, start: try at.map(plan.point) ?? PlanPoint(),
                            angle: angle ?? 0, clockwise: clockwise, sides: drawn?.sides ?? [],
                            wallThickness: walls)))
            ]
        }
    }

    /// `steward plan add`
    struct AddThing: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a thing: furniture, or anything of your own.",
            discussion: """
                A thing is a rectangle whose front faces south (down) until it is turned: a bed's \
                head and a toilet's wall are at its rear, to the north. Measures are in \
                millimetres; 90cm and 2.4m work too.

                  steward plan add bed --at 1000,1200 --size 90x200cm
                  steward plan add toilet --against wall-3 --from end --offset 400 --size 40x70cm
                  steward plan add other --at 500,500 --size 60x45cm --label Aquarium

                A ramp is driven over, and lowers the threshold of the door at which it lies, by \
                its height, if it is long and wide enough: --class 183015. See the guide for \
                this and for other aids.
                """)

        @Argument(help: ArgumentHelp("What it is: \(KindArgument.list).", valueName: "kind"))
        var kind: KindArgument
        @OptionGroup var stand: StandOptions
        @Option(help: "Width and depth: 900x2000.", transform: PlanMeasure.size)
        var size: PlanSize
        @Option(help: "Its height.", transform: PlanMeasure.length)
        var height: UInt32?
        @Option(help: "From the floor to its lower edge.", transform: PlanMeasure.length)
        var elevation: UInt32?
        @Option(
            name: .customLong("class"),
            help: "Of an aid: its class, an ISO 9999 code such as 183015, a ramp.",
            transform: PlanMeasure.aidClass)
        var aidClass: String?
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func validate() throws {
            guard aidClass == nil || kind.kind == .aid else {
                throw ValidationError("--class is for an aid")
            }
        }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let place = try stand.place(width: size.width, depth: size.depth, plan)
            let element = Element(
                id: new.id, kind: kind.kind, label: new.label, centre: place.centre,
                width: size.width, depth: size.depth, height: height ?? 0,
                elevation: elevation ?? 0, angle: place.angle,
                wheelchair: kind.kind == .wheelchair ? Wheelchair() : nil,
                aidClass: aidClass ?? "")
            return [.add([.element(element)])]
        }
    }

    /// `steward plan wheelchair`
    struct AddWheelchair: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "wheelchair", abstract: "Adds a wheelchair with its own measures.",
            discussion: """
                Its size is its whole width and length, including the feet. Checks for a person \
                use this chair once you choose it with “steward plan details --chair \
                wheelchair-1”.
                """)

        @OptionGroup var stand: StandOptions
        @Option(help: "Width and length: 650x1100.", transform: PlanMeasure.size)
        var size: PlanSize
        @Option(
            help: "The diameter of the circle that it turns in, as its maker says.",
            transform: PlanMeasure.length)
        var turning: UInt32?
        @Option(
            help: "From its rear to the axle that it turns about.", transform: PlanMeasure.length)
        var axle: UInt32?
        @OptionGroup var person: PersonOptions
        @Option(help: "Its height.", transform: PlanMeasure.length)
        var height: UInt32?
        @OptionGroup var new: NewItemOptions
        @OptionGroup var options: PlanEditOptions

        func validate() throws { try size.requireChair() }

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            let build = person.applied(
                to: Wheelchair(turningDiameter: turning ?? 0, axleFromRear: axle ?? 0))
            try build.requireCircle(width: size.width, length: size.depth)
            let place = try stand.place(width: size.width, depth: size.depth, plan)
            let element = Element(
                id: new.id, kind: .wheelchair, label: new.label, centre: place.centre,
                width: size.width, depth: size.depth, height: height ?? 0, angle: place.angle,
                wheelchair: build)
            return [.add([.element(element)])]
        }
    }

    /// The space that the person in a wheelchair needs besides the chair.
    struct PersonOptions: ParsableArguments {
        @Option(
            help: """
                Of a wheelchair: what hands on the push rims need beside it, on both sides \
                together: 100 by Norwegian guidance; 0 for none.
                """, transform: PlanMeasure.length)
        var hands: UInt32?
        @Option(
            help: "Of a wheelchair: the length that an assistant behind it needs.",
            transform: PlanMeasure.length)
        var assistant: UInt32?
        @Option(
            help: "Of a wheelchair: how far raised leg rests extend beyond its front.",
            transform: PlanMeasure.length)
        var legRests: UInt32?

        /// The given options, as they are typed.
        var given: [String] {
            [
                ("--hands", hands), ("--assistant", assistant), ("--leg-rests", legRests),
            ].filter { $0.1 != nil }.map(\.0)
        }

        /// The build of a chair, changed by the given options.
        func applied(to chair: Wheelchair) -> Wheelchair {
            var chair = chair
            if let hands { chair.hands = hands }
            if let assistant { chair.assistant = assistant }
            if let legRests { chair.legRests = legRests }
            return chair
        }
    }

    /// `steward plan place`
    struct PlaceOwn: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "place", abstract: "Places a thing of your own library.",
            discussion: """
                “steward plan library list” shows the library. A thing can stand against a wall; \
                the middle of a kept wall or room is placed --at X,Y.
                """)

        @Argument(help: "Its name in the library.")
        var name: String
        @OptionGroup var stand: StandOptions
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("Its id in the plan. Default: the next free one.", valueName: "id"))
        var id: String = ""
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [try stand.action(placing: PlaceItem(name: name, id: id), plan)]
        }
    }

    /// `steward plan product`
    struct PlaceProduct: PlanEditCommand {
        static let configuration = CommandConfiguration(
            commandName: "product", abstract: "Places a product of the catalogue.",
            discussion: "Search for it with “steward catalogue find”.")

        @Argument(help: "Its article number (in Norway the HMS number) or its id.")
        var number: String
        @OptionGroup var stand: StandOptions
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("Its id in the plan. Default: the next free one.", valueName: "id"))
        var id: String = ""
        @OptionGroup var options: PlanEditOptions

        func actions(_ plan: PlanAtHand) throws -> [PlanAction] {
            [try stand.action(placing: PlaceItem(name: number, product: true, id: id), plan)]
        }
    }
}

/// The kind of an item, as it is typed: `bed`, `kitchen-bench`.
struct KindArgument: ExpressibleByArgument, Hashable {
    let kind: ElementKind

    /// The kind of that name; nil if there is none.
    init?(argument: String) {
        let known = ElementKind.allCases.first { $0.typed == argument.asTyped }
        guard let kind = known ?? Self.others[argument.asTyped] else { return nil }
        self.kind = kind
    }

    /// Other names for the same kinds.
    private static let others: [String: ElementKind] = [
        "thing": .unspecified, "chair": .seat, "sofa": .seat, "armchair": .seat,
        "bench": .kitchenBench, "sink": .washbasin, "basin": .washbasin, "bathtub": .bath,
        "shelf": .cupboard, "wardrobe": .cupboard, "stove": .appliance, "fridge": .appliance,
        "refrigerator": .appliance, "desk": .table, "column": .structure, "stair": .stairs,
        "wc": .toilet,
    ]

    /// All of them, for the help.
    static var list: String { allValueStrings.joined(separator: ", ") }

    static var allValueStrings: [String] {
        ElementKind.allCases.dropFirst().map(\.typed) + ["other"]
    }
}

/// The use of a room, as it is typed: `bathroom`.
struct UseArgument: ExpressibleByArgument, Hashable {
    let use: RoomUse

    /// The use of that name; nil if there is none.
    init?(argument: String) {
        let wanted = argument.asTyped
        let name = wanted == "living-room" ? "living" : wanted == "wc" ? "toilet" : wanted
        guard let use = RoomUse.allCases.dropFirst().first(where: { $0.typed == name }) else {
            return nil
        }
        self.use = use
    }

    /// All of them, for the help.
    static var list: String { allValueStrings.joined(separator: ", ") }

    static var allValueStrings: [String] { RoomUse.allCases.dropFirst().map(\.typed) }
}

extension ProtobufEnum {
    /// The name of the case as it is typed: `kitchen-bench`.
    fileprivate var typed: String { word.replacing(" ", with: "-") }
}

extension String {
    /// A name as programs write it: `Kitchen bench` is `kitchen-bench`.
    fileprivate var asTyped: String {
        lowercased().replacing(" ", with: "-").replacing("_", with: "-")
    }
}
