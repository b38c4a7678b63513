import FloorPlan
import Messages
import Phrases

/// What a repair of a finding should make pass: the clause or, if that doesn't fail, the verdict
/// for the person's chair.
enum RepairAim {
    case clause, chair
}

extension PlanInspection.Found {
    /// What a repair should make pass; nil when nothing needs one.
    var aim: RepairAim? {
        if finding.verdict == .fail { return .clause }
        return finding.person?.verdict == .fail ? .chair : nil
    }

    /// The margin of what a repair aims at; below 0 if it is missing.
    fileprivate var margin: Int32? { aim == .chair ? finding.person?.margin : finding.margin }
}

/// Looks for small changes that make a finding pass.
struct RepairSearch {
    let trial: Trial
    let found: PlanInspection.Found
    let phrases: Words<FindingPhrase>
    private let tolerance: UInt32

    /// The maximum number of repairs reported for a finding.
    private static let most = 3
    /// How many of the nearest things are tried, and how many candidates in all: this bounds the
    /// time.
    private static let mostThings = 6
    private static let mostLooks = 10
    /// The directions in which things are moved.
    static let directions: [(word: FindingPhrase, x: Int32, y: Int32)] = [
        (.north, 0, 1), (.south, 0, -1), (.east, 1, 0), (.west, -1, 0),
    ]
    /// How far things are moved first, in millimetres; then in steps of 10.
    private static let ladder: [Int32] = [50, 100, 200, 400, 800, 1_600]

    /// The same with the missing distance and half of it: if two sides need room, there may be only
    /// one place between them.
    private var distances: [Int32] {
        guard let margin = found.margin, margin < 0 else { return Self.ladder }
        let missing = Int32(clamping: margin.magnitude) + Int32(tolerance)
        return Set(Self.ladder + [missing, (missing + 1) / 2]).sorted()
    }

    /// A possible repair.
    struct Candidate {
        let action: PlanAction
        let changes: [ItemChange]
        /// False for what needs a joiner, or has to be bought: it is described, not done.
        var isOffered = true
        let text: String
        /// Rehanging a door is a joiner's work, too.
        var kind: RepairKind {
            switch action.action {
            case .move where !isOffered: .build
            case .move, .rotate: .move
            case .add: .aid
            default: .build
            }
        }
        /// The smaller one is offered first: millimetres of moving, or equivalent.
        let effort: Int32
    }

    init(
        _ found: PlanInspection.Found, in trial: Trial, phrases: Words<FindingPhrase>,
        tolerance: UInt32
    ) {
        self.trial = trial
        self.found = found
        self.phrases = phrases
        self.tolerance = tolerance
    }

    /// The repairs, smallest first. Each was tried in a copy, where it hits nothing and makes
    /// nothing else fail.
    func run() -> [Repair] {
        var candidates: [Candidate] = []
        switch found.measure {
        case .doorWidth: candidates = (isStopped ? clearing() : []) + widening()
        case .threshold: candidates = ramping() + lowering()
        case .swing: candidates = rehanging([found.finding.item])
        case .latchSpace, .pushSpace, .hingeSpace:
            candidates = rehanging([found.finding.item]) + moving() + turning()
        case .turningSpace, .floorSpace, .aidTurning:
            candidates = moving() + turning() + rehanging(doorsOfRoom)
        case .passage, .sideSpace, .oneSideSpace, .frontSpace, .toiletZone:
            candidates = moving() + turning()
        case .doorHeight, .ceiling, .centreLine, .size, .railReach: break
        }
        let repairs = best(of: candidates)
        // Moving a fixture costs more than anything else.
        guard repairs.isEmpty, !WorkLimit.isOver else { return repairs }
        return best(of: moving(fixturesFor: found.measure))
    }

    /// The smallest of some candidates that work.
    private func best(of candidates: [Candidate]) -> [Repair] {
        var repairs: [Repair] = []
        let sorted = candidates.sorted { ($0.effort, $0.text) < ($1.effort, $1.text) }
        for candidate in sorted.prefix(Self.mostLooks) where repairs.count < Self.most {
            if WorkLimit.isOver { break }
            // Turned to the left or to the right: one of them is enough.
            guard !repairs.contains(where: { $0.text == candidate.text }),
                trial.isRepaired(found, by: candidate.changes)
            else { continue }
            repairs.append(
                Repair(
                    text: candidate.text, actions: candidate.isOffered ? [candidate.action] : [],
                    kind: candidate.kind))
        }
        return repairs
    }

    /// The room that the finding is in.
    var rooms: [Room] {
        let (plan, id) = (trial.plan, found.finding.item)
        if let room = plan.rooms[id] { return [room] }
        if let element = plan.elements[id] {
            return trial.layout.room(at: element.place).map { [$0] } ?? []
        }
        let doorway = trial.layout.doorway(id)
        return [doorway?.rooms.left, doorway?.rooms.right].compactMap { $0 }
            .compactMap { plan.rooms[$0] }
    }

    private var doorsOfRoom: [String] {
        rooms.flatMap { trial.layout.doorways(of: $0) }.filter { $0.opening.kind == .door }
            .map(\.opening.id)
    }

    /// The things that people can move, nearest first. A ramp belongs to its door.
    private var things: [Element] {
        nearest(Self.mostThings) { $0.kind.isMovable && $0.aidRole != .ramp }
    }

    /// Some things in the rooms, nearest first.
    func nearest(_ most: Int, where isWanted: (Element) -> Bool) -> [Element] {
        let place = found.finding.at?.vector ?? .zero
        let rooms = rooms.map(\.polygon)
        let wanted = trial.plan.elements.values.filter { element in
            isWanted(element) && rooms.contains { $0.contains(element.place) }
        }
        return Array(
            wanted.sorted {
                ($0.place.distance(to: place), $0.id) < ($1.place.distance(to: place), $1.id)
            }.prefix(most))
    }

    /// Each thing moved in each direction, just far enough to make the finding pass, as far as
    /// nothing is in its way.
    private func moving() -> [Candidate] {
        var candidates: [Candidate] = []
        for thing in things {
            for (word, x, y) in Self.directions {
                guard
                    let (distance, changes) = shortest({ way in
                        .move([thing.id], by: PlanPoint(x: x * way, y: y * way))
                    })
                else { continue }
                let by = PlanPoint(x: x * distance, y: y * distance)
                candidates.append(
                    Candidate(
                        action: .move([thing.id], by: by), changes: changes,
                        text: phrases.say(
                            .move,
                            [
                                "item": name(thing), "distance": String(distance),
                                "direction": phrases.say(word),
                            ]), effort: distance))
            }
        }
        return candidates
    }

    /// The shortest distance that makes the finding pass, in steps of 10 mm.
    func shortest(
        _ action: (Int32) -> PlanAction
    ) -> (Int32, [ItemChange])? {
        var tooShort: Int32 = 0
        for distance in distances {
            guard let changes = trial.changes(by: action(distance)) else {
                // A thing isn't moved past an obstacle; but a thing that blocks a door does so
                // until it is far enough away.
                guard isStopped else { return refined(tooShort, distance, nil, action) }
                tooShort = distance
                continue
            }
            if trial.verdict(found, after: changes) == .pass {
                return refined(tooShort, distance, changes, action)
            }
            tooShort = distance
        }
        return nil
    }

    /// Bisects between a distance that is too short and one that is enough, or that hits something.
    private func refined(
        _ short: Int32, _ long: Int32, _ known: [ItemChange]?, _ action: (Int32) -> PlanAction
    ) -> (Int32, [ItemChange])? {
        var (low, high) = (short, long)
        var best = known.map { (long, $0) }
        while high - low > 10 {
            let middle = (low + high) / 20 * 10
            guard middle > low else { break }
            guard let changes = trial.changes(by: action(middle)) else {
                if isStopped { low = middle } else { high = middle }
                continue
            }
            if trial.verdict(found, after: changes) == .pass {
                (high, best) = (middle, (middle, changes))
            } else {
                low = middle
            }
        }
        return best
    }

    /// Each thing turned by a quarter.
    private func turning() -> [Candidate] {
        things.flatMap { thing in
            [(90, .turnLeft), (270, .turnRight)].compactMap {
                (degrees: UInt32, phrase: FindingPhrase) -> Candidate? in
                let angle = (thing.angle + degrees * 1_000) % 360_000
                return candidate(
                    .rotate(thing.id, to: angle), phrases.say(phrase, ["item": name(thing)]),
                    effort: 500)
            }
        }
    }

    /// Each door hung in the other three ways.
    private func rehanging(_ doors: [String]) -> [Candidate] {
        doors.compactMap { trial.plan.openings[$0] }.filter { $0.kind == .door }
            .flatMap { door in
                [(true, false), (false, true), (true, true)].compactMap {
                    (side, end) -> Candidate? in
                    // Then it is known how it is hung.
                    let hung = door.hung(
                        hingesAtEnd: door.hingesAtEnd != end,
                        swingsRight: door.swingsRight != side)
                    let phrase: FindingPhrase =
                        side && end ? .hangBoth : end ? .hangOtherEnd : .hangOtherSide
                    let item = PlanItem(item: .opening(hung))
                    return candidate(
                        .replace(item), phrases.say(phrase, ["item": name(door)]),
                        effort: side && end ? 1_400 : 1_200)
                }
            }
    }

    /// True for a door that something keeps from opening fully, or that something stands in.
    private var isStopped: Bool {
        guard found.measure == .doorWidth, let doorway = trial.layout.doorway(found.finding.item)
        else { return false }
        let clear = trial.layout.clearWidth(of: doorway)
        return clear.stop != nil || clear.obstacle != nil
    }

    /// Whatever blocks the door moved elsewhere, or the door rehung.
    private func clearing() -> [Candidate] {
        moving() + turning() + rehanging([found.finding.item])
    }

    /// The door with a leaf that is wide enough, in an opening with the same centre; or an opening
    /// without a leaf that is wide enough itself.
    private func widening() -> [Candidate] {
        guard let door = trial.plan.openings[found.finding.item],
            let wall = trial.plan.walls[door.wall], let measured = found.finding.measured
        else { return [] }
        let needed = measured - (found.margin ?? 0) + Int32(tolerance)
        let clear = UInt32(max(needed, 0))
        var wide = door
        (wide.clearWidth, wide.clearEstimated) = (clear, false)
        // A leaf, and a frame of 40 mm at each side; or the frame that the opening has.
        let leaf = clear + Opening.leafLoss
        if door.isDoor { wide.leafWidth = leaf }
        let needs = door.isDoor ? leaf + UInt32(2 * Judge.frameSide) : clear + door.frameWidth
        wide.width = max(door.width, needs)
        let more = Int64(wide.width) - Int64(door.width)
        let last = max(Int64(wall.length) - Int64(wide.width), 0)
        wide.offset = UInt32(min(max(Int64(door.offset) - more / 2, 0), last))
        let text = phrases.say(
            door.isDoor ? .widen : .widenOpening,
            ["item": name(door), "leaf": String(leaf), "clear": String(clear)])
        let item = PlanItem(item: .opening(wide))
        return [candidate(.replace(item), isOffered: false, text, effort: 3_000)]
            .compactMap { $0 }
    }

    /// The door with ramps. Their sides are no way, so where passages have to be wide, only wide
    /// ramps leave nothing else to fail: the narrowest that do are taken.
    private func ramping() -> [Candidate] {
        guard let door = trial.plan.openings[found.finding.item] else { return [] }
        let limits = trial.terms(found).ramps
        for least in [0] + trial.passageWidths(in: rooms) {
            guard !WorkLimit.isOver,
                let ramps = RampRepair(door, in: trial.whole, limits, atLeast: least)
            else { break }
            if trial.isRepaired(found, by: ramps.changes) { return [laying(ramps, at: door)] }
        }
        return []
    }

    /// Laying some ramps. A long one is in the way, and comes after building work.
    private func laying(_ ramps: RampRepair, at door: Opening) -> Candidate {
        let room = ramps.rooms.compactMap { $0 }.first
        let phrase: FindingPhrase =
            ramps.rooms.count > 1 ? .layRamps : room == nil ? .layRampOutside : .layRampIn
        let text = phrases.say(
            phrase,
            [
                "item": name(door), "width": String(ramps.width),
                "room": room.map { phrases.quotedName(PlanItem(item: .room($0))) } ?? "",
                "length": String(ramps.length), "height": String(ramps.height),
            ])
        return Candidate(
            action: .add(ramps.changes.compactMap(\.after)), changes: ramps.changes,
            isOffered: false, text: text, effort: 2_000 + Int32(clamping: ramps.length))
    }

    /// The highest step that passes, in millimetres; nil if there is none.
    private var highestStep: Int32? {
        if found.aim == .chair { return Int32(Dwelling.Terms().threshold) }
        guard let measured = found.finding.measured, let margin = found.finding.margin else {
            return nil
        }
        return measured + margin
    }

    private func lowering() -> [Candidate] {
        guard let door = trial.plan.openings[found.finding.item], let most = highestStep else {
            return []
        }
        let height = UInt32(max(most - Int32(tolerance), 0))
        // A ramp that is too high isn't met by a higher threshold.
        guard height < door.rise else { return [] }
        var low = door
        (low.threshold, low.sill) = (height, min(low.sill, height))
        low.thresholdUnknown = false
        let text = phrases.say(.lower, ["item": name(door), "height": String(height)])
        return [
            candidate(
                .replace(PlanItem(item: .opening(low))), isOffered: false, text, effort: 3_000)
        ].compactMap { $0 }
    }

    /// A candidate, if it makes the finding pass.
    private func candidate(
        _ action: PlanAction, isOffered: Bool = true, _ text: String, effort: Int32
    ) -> Candidate? {
        guard let changes = trial.changes(by: action),
            trial.verdict(found, after: changes) == .pass
        else { return nil }
        return Candidate(
            action: action, changes: changes, isOffered: isOffered, text: text, effort: effort)
    }

    func name(_ element: Element) -> String {
        let isAlone =
            !element.label.isEmpty
            || trial.plan.elements.values.count { $0.kind == element.kind } == 1
        let name = phrases.quotedName(PlanItem(item: .element(element)))
        return isAlone ? name : "\(name) (\(element.id))"
    }

    private func name(_ door: Opening) -> String {
        let name = phrases.quotedName(PlanItem(item: .opening(door)))
        return door.label.isEmpty && found.finding.item != door.id ? "\(name) (\(door.id))" : name
    }
}

extension ElementKind {
    /// True for things that can be moved without a plumber, a carpenter or a mason.
    fileprivate var isMovable: Bool {
        switch self {
        case .bed, .table, .seat, .cupboard, .aid, .unspecified: true
        default: false
        }
    }
}
