import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech

/// Options for the properties of an item of a plan. Each applies to some kinds of items.
struct PlanTraits: ParsableArguments {
    @Option(help: "Its name, for people.")
    var label: String?
    @Option(help: "Its height.", transform: PlanMeasure.length)
    var height: UInt32?
    @Option(help: "Of a wall: how thick it is.", transform: PlanMeasure.length)
    var thickness: UInt32?
    @Option(help: "Of a door: its clear width when it is open.", transform: Self.orNone)
    var clear: MeasureOrNone?
    @Option(help: "Of a door: the width of its leaf; none if unknown.", transform: Self.orNone)
    var leaf: MeasureOrNone?
    @Option(
        help: "Of a door: the height of its threshold; 0 for none.",
        transform: PlanMeasure.length)
    var threshold: UInt32?
    @Option(help: "Of a door: where its hinges are, start or end.")
    var hinges: EndArgument?
    @Option(help: "Of a door: the side to which it swings, left or right of the wall.")
    var swing: SideArgument?
    @Flag(inversion: .prefixedNo, help: "Of a door: it slides.")
    var sliding: Bool?
    @Flag(inversion: .prefixedNo, help: "Of a door: it is an entrance of the dwelling.")
    var entrance: Bool?
    @Option(help: "Of a window: from the floor to its lower edge.", transform: PlanMeasure.length)
    var sill: UInt32?
    @Option(help: ArgumentHelp("Of a room: what it is used for.", valueName: "use"))
    var use: UseArgument?
    @Option(help: ArgumentHelp("Of a thing: what it is.", valueName: "kind"))
    var kind: KindArgument?
    @Option(help: "Of a thing: from the floor to its lower edge.", transform: PlanMeasure.length)
    var elevation: UInt32?
    @Option(help: "Of a wheelchair: the circle that it turns in.", transform: PlanMeasure.length)
    var turning: UInt32?
    @Option(help: "Of a wheelchair: from its rear to its axle.", transform: PlanMeasure.length)
    var axle: UInt32?
    @OptionGroup var person: PlanCommand.PersonOptions
    @Option(
        name: .customLong("class"),
        help: "Of an aid: its class, an ISO 9999 code such as 183015, a ramp.",
        transform: PlanMeasure.aidClass)
    var aidClass: String?

    /// A measure, or the word for an unknown one.
    enum MeasureOrNone: Hashable, Sendable {
        case measure(UInt32)
        case unknown

        /// The measure; nil for none.
        var measure: UInt32? {
            if case .measure(let measure) = self { measure } else { nil }
        }
    }

    @Sendable private static func orNone(_ text: String) throws -> MeasureOrNone {
        text == "none" ? .unknown : .measure(try PlanMeasure.length(text))
    }

    /// True if no option is given.
    var isEmpty: Bool { said.isEmpty && label == nil && height == nil }

    /// The given options that don't apply to every kind of item.
    private var said: [String] {
        let all: [(String, Bool)] = [
            ("--thickness", thickness != nil), ("--clear", clear != nil), ("--leaf", leaf != nil),
            ("--threshold", threshold != nil), ("--hinges", hinges != nil),
            ("--swing", swing != nil), ("--sliding", sliding != nil),
            ("--entrance", entrance != nil), ("--sill", sill != nil), ("--use", use != nil),
            ("--kind", kind != nil), ("--elevation", elevation != nil),
            ("--turning", turning != nil), ("--axle", axle != nil), ("--class", aidClass != nil),
        ]
        return all.filter(\.1).map(\.0) + person.given
    }

    /// The item, changed by the given options.
    ///
    /// - Throws: ``Failure`` if an option doesn't apply to the item.
    func applied(to item: PlanItem) throws -> PlanItem.Item {
        switch item.item {
        case .wall(let wall):
            try allow(["--thickness"], item)
            return .wall(applied(to: wall))
        case .opening(let opening):
            try allow(
                [
                    "--clear", "--leaf", "--threshold", "--hinges", "--swing", "--sliding",
                    "--entrance", "--sill",
                ], item)
            return .opening(applied(to: opening))
        case .room(var room):
            try allow(["--use"], item)
            if let label { room.name = label }
            if let height { room.height = height }
            if let use { room.use = use.use }
            return .room(room)
        case .element(let element):
            // A thing may become a chair or an aid in the same command.
            let kind = self.kind?.kind ?? element.kind
            let forChair: Set = ["--turning", "--axle", "--hands", "--assistant", "--leg-rests"]
            let all: Set = ["--kind", "--elevation", "--class"]
            try allow(
                all.union(forChair), item,
                offered: kind == .wheelchair
                    ? all.subtracting(["--class"]).union(forChair)
                    : kind == .aid ? all : all.subtracting(["--class"]))
            return .element(try applied(to: element))
        case nil: throw Failure(.broken, "\(item.id) is nothing")
        }
    }

    /// - Parameter offered: what the advice names; nil for all that is allowed.
    private func allow(
        _ options: Set<String>, _ item: PlanItem, offered: Set<String>? = nil
    ) throws {
        guard let wrong = said.first(where: { !options.contains($0) }) else { return }
        let all = (["--label", "--height"] + (offered ?? options).sorted())
            .joined(separator: ", ")
        throw Failure(
            .usage, "\(item.id) is \(item.aKind), and \(wrong) isn't for that",
            advice: "it can have \(all)")
    }

    private func applied(to wall: Wall) -> Wall {
        var wall = wall
        if let label { wall.label = label }
        if let height { wall.height = height }
        if let thickness { wall.thickness = thickness }
        return wall
    }

    private func applied(to opening: Opening) -> Opening {
        var opening = opening
        if let label { opening.label = label }
        if let height { opening.height = height }
        if let clear { (opening.clearWidth, opening.clearEstimated) = (clear.measure, false) }
        if let leaf { opening.leafWidth = leaf.measure }
        if let sliding { opening.become(sliding ? .slidingDoor : .door) }
        if let threshold {
            (opening.threshold, opening.thresholdUnknown) = (threshold, false)
        }
        if hinges != nil || swing != nil {
            opening = opening.hung(
                hingesAtEnd: hinges.map { $0 == .end }, swingsRight: swing.map { $0 == .right })
        }
        if let entrance { opening.entrance = entrance }
        if let sill { opening.sill = sill }
        return opening
    }

    private func applied(to element: Element) throws -> Element {
        var element = element
        if let label { element.label = label }
        if let height { element.height = height }
        if let elevation { element.elevation = elevation }
        if let kind { element.kind = kind.kind }
        if let aidClass {
            if !aidClass.isEmpty { try element.requireClassOfItsOwn() }
            element.aidClass = aidClass
        }
        if turning != nil || axle != nil || !person.given.isEmpty {
            guard element.kind == .wheelchair else {
                throw Failure(
                    .usage,
                    "\(element.id) isn't a wheelchair, so --turning, --axle, --hands, --assistant "
                        + "and --leg-rests aren't for it",
                    advice: "make it one: --kind wheelchair")
            }
            var chair = person.applied(to: element.wheelchair ?? Wheelchair())
            if let turning {
                chair.turningDiameter = turning
                try chair.requireCircle(width: element.width, length: element.depth)
            }
            if let axle { chair.axleFromRear = axle }
            element.wheelchair = chair
        }
        return element
    }
}

extension Opening {
    /// Makes it a door of a kind. What nobody has looked at, because it was something else, isn't
    /// known: the threshold of a window, and how what had no hinges is hung.
    fileprivate mutating func become(_ door: OpeningKind) {
        if !isPassable { thresholdUnknown = true }
        if door == .door, kind != .door {
            (hungUnknown, hingesKnown, swingKnown) = (true, false, false)
        }
        kind = door
    }
}

extension Element {
    /// Refuses a class for something that doesn't do what its class says.
    fileprivate func requireClassOfItsOwn() throws {
        guard kind == .aid else {
            throw Failure(
                .usage, "\(id) isn't an aid, so --class isn't for it",
                advice: "make it one: --kind aid")
        }
        guard let product, !product.isoCode.isEmpty else { return }
        throw Failure(
            .usage,
            "\(id) is a product of the catalogue, which has the class \(product.isoCode)",
            advice: "to try another, add an aid of the same size: steward plan add aid --class")
    }
}

extension Wheelchair {
    /// Refuses a stated turning circle that is too small to count for a chair of this width and
    /// length, in millimetres. It may be a radius given by mistake.
    ///
    /// - Throws: ``Failure`` that asks for the diameter.
    func requireCircle(width: UInt32, length: UInt32) throws {
        guard turningDiameter > 0, !statesCircle(width: width, length: length) else { return }
        throw Failure(
            .usage,
            "a chair of \(width) x \(length) mm can't turn in a circle of \(turningDiameter) mm",
            advice: "is that the radius? Give the diameter: "
                + "--turning \(2 * UInt64(turningDiameter))")
    }
}
