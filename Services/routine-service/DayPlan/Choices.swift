/// Weights that express the value of a plan as one number: worth first, then actions that stay,
/// then low cost.
enum Value {
    /// The value of one minute of cost. The prices of minutes are finer than that.
    static let minute: Int64 = 16
    /// The value of an action that stays where it was: more than the highest cost of a day, 3 x
    /// 2,880 minutes for each of 40 routines.
    static let stay = minute << 20
    /// The value of a worth of 1: more than that of all actions that can stay.
    static let worth = stay << 9
}

/// One way to do a routine from a given minute.
struct Choice {
    var end: Int
    var value: Int64
    /// The open actions that are done, one bit each.
    var picks: UInt64
    /// Those of them that wait until their minute in the earlier plan.
    var waits: UInt64
}

/// The ways to do a routine that may be part of a best day, for each minute at which it may begin.
struct ChoiceTable {
    let routine: OpenRoutine
    /// The first minute of the table.
    let from: Int
    /// The place in the lists at which the choices of each minute begin, with one more at the end.
    private(set) var offsets: [Int32] = [0]
    private(set) var ends: [Int32] = []
    private(set) var values: [Int64] = []
    /// Whether choices were left out to save work.
    private(set) var isCut = false
    /// The number of partial choices made.
    private(set) var steps = 0

    /// The maximum number of choices kept for a minute.
    static let widest = 96

    /// The last minute of the table.
    var last: Int { from + offsets.count - 2 }

    /// Makes choices for every `stride`-th minute, and for each notable one, such as the preferred
    /// start.
    init(_ routine: OpenRoutine, _ time: OpenTime, stride: Int) {
        self.routine = routine
        from = routine.from
        guard let shortest = routine.actions.map(\.minutes).min(),
            routine.from + shortest <= routine.until
        else { return }
        var maker = ChoiceMaker(routine, time)
        let outstanding = Set(
            [routine.preferred, routine.from] + routine.actions.compactMap(\.earlierStart))
        var roomy: (choices: [Choice], cost: Int64, start: Int, isCut: Bool)?
        isCut = stride > 1
        for start in routine.from...(routine.until - shortest) {
            defer { offsets.append(Int32(ends.count)) }
            if let fixed = routine.fixedStart, start != fixed { continue }
            if stride > 1, (start - from) % stride != 0, !outstanding.contains(start),
                time.nextBlocked(from: max(0, start - 1)) != start - 1
            {
                continue
            }
            let cost = Int64(routine.cost(ofStart: start)) * Value.minute
            if maker.isRoomy(start) {
                // The choices are the same for each start, except for their cost.
                if roomy == nil {
                    let made = maker.choices(from: start)
                    steps += made.steps
                    roomy = (made.choices, cost, start, made.isCut)
                }
                guard let known = roomy else { continue }
                isCut = isCut || known.isCut
                for choice in known.choices {
                    ends.append(Int32(choice.end + start - known.start))
                    values.append(choice.value + known.cost - cost)
                }
                steps += known.choices.count
            } else {
                let made = maker.choices(from: start)
                steps += made.steps
                isCut = isCut || made.isCut
                for choice in made.choices {
                    ends.append(Int32(choice.end))
                    values.append(choice.value)
                }
            }
        }
    }

    /// Returns the places in the lists of the choices that begin at a minute.
    func places(at minute: Int) -> Range<Int> {
        guard minute >= from, minute <= last else { return 0..<0 }
        return Int(offsets[minute - from])..<Int(offsets[minute - from + 1])
    }
}

/// Finds the ways to do a routine from a given minute. Each action follows the last as early as it
/// can, or waits for the minute at which it was before. Nothing else is ever better, since an
/// earlier end never hurts what follows.
struct ChoiceMaker {
    private let routine: OpenRoutine
    private let time: OpenTime
    private let total: Int
    private let latestKept: Int
    /// The partial choices in the making; kept so that their memory is used again.
    private var open: [Choice] = []

    init(_ routine: OpenRoutine, _ time: OpenTime) {
        self.routine = routine
        self.time = time
        total = routine.actions.reduce(0) { $0 + $1.minutes }
        latestKept = routine.actions.compactMap(\.earlierStart).max() ?? -1
    }

    /// Returns whether there is room for all actions, beginning at a minute, and none can stay
    /// where it was.
    func isRoomy(_ start: Int) -> Bool {
        start > latestKept
            && start + total <= min(routine.until, time.nextBlocked(from: start))
    }

    /// Returns the choices that begin at a minute. None of them ends later than another of more
    /// value.
    mutating func choices(from start: Int) -> (choices: [Choice], steps: Int, isCut: Bool) {
        open.removeAll(keepingCapacity: true)
        var steps = 0
        var isCut = false
        for (index, action) in routine.actions.enumerated() {
            let bit = UInt64(1) << UInt64(index)
            let gain =
                Int64(action.worth) * Value.worth + 2 * Int64(action.minutes) * Value.minute
            let earlier = open.count
            func taken(after choice: Choice, at minute: Int, waits: Bool) -> Choice {
                Choice(
                    end: minute + action.minutes,
                    value: choice.value + gain
                        + (action.earlierStart == minute ? Value.stay : 0),
                    picks: choice.picks | bit, waits: choice.waits | (waits ? bit : 0))
            }
            if earliest(action, from: start) == start {
                let none = Choice(end: start, value: 0, picks: 0, waits: 0)
                open.append(taken(after: none, at: start, waits: false))
            }
            for place in 0..<earlier {
                let choice = open[place]
                // The choices are in order of their ends: the next ones end no earlier.
                guard let minute = earliest(action, from: choice.end) else { break }
                open.append(taken(after: choice, at: minute, waits: false))
                if let kept = action.earlierStart, kept > minute,
                    earliest(action, from: kept) == kept
                {
                    open.append(taken(after: choice, at: kept, waits: true))
                }
            }
            steps += open.count
            Self.keepBest(of: &open)
            if open.count > ChoiceTable.widest {
                // Keep the choices of the highest value, and the shortest one.
                open.removeSubrange(1...(open.count - ChoiceTable.widest))
                isCut = true
            }
        }
        let cost = Int64(routine.cost(ofStart: start)) * Value.minute
        for place in open.indices {
            // Time that no action fills is idle.
            open[place].value -= cost + 2 * Int64(open[place].end - start) * Value.minute
        }
        Self.keepBest(of: &open)
        return (open, steps, isCut)
    }

    /// Returns when the actions of a choice begin: the index of each among the open ones, and the
    /// minute.
    func starts(of choice: Choice, from start: Int) -> [(action: Int, minute: Int)] {
        var found: [(action: Int, minute: Int)] = []
        var minute = start
        for (index, action) in routine.actions.enumerated() {
            let bit = UInt64(1) << UInt64(index)
            guard choice.picks & bit != 0 else { continue }
            if choice.waits & bit != 0, let kept = action.earlierStart {
                minute = kept
            } else if let next = earliest(action, from: minute) {
                minute = next
            }
            found.append((index, minute))
            minute += action.minutes
        }
        return found
    }

    private func earliest(_ action: OpenAction, from minute: Int) -> Int? {
        time.start(from: minute, lasting: action.minutes, until: routine.until)
    }

    /// Puts the choices in order of their ends, without those that are worth no more than one that
    /// ends earlier.
    private static func keepBest(of choices: inout [Choice]) {
        choices.sort { ($0.end, $1.value) < ($1.end, $0.value) }
        var kept = 0
        var most = Int64.min
        for place in choices.indices where choices[place].value > most {
            most = choices[place].value
            choices[kept] = choices[place]
            kept += 1
        }
        choices.removeSubrange(kept...)
    }
}
