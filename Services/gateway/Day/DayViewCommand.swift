import ArgumentParser
import Bus
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

extension DayCommand {
    /// `steward day view`
    struct View: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Guides you through today, on a full screen.",
            discussion: """
                A picture of what is being done, a bar that shrinks as time passes, and what comes \
                next. One key for each action: space done, m five more minutes, s skip, u undo, p \
                pause, f first-then, q close.
                """)

        @Flag(help: "Begin by showing only the first action and the next.")
        var firstThen = false
        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var desk = DayDesk(session, person: try person.account(session))
            try desk.begin()
            try goThrough(&desk, session)
            if output.json { try session.printer.json(.days, desk.day.map { [$0] } ?? []) }
        }

        /// Shows the day until the person closes it.
        private func goThrough(_ desk: inout DayDesk, _ session: Session) throws {
            let language = try session.language
            let screen = try Screen()
            defer { screen.leave() }
            var isFirstThen = firstThen
            let pictures = desk.pictures
            while !screen.isLost, !Interruption.isWanted {
                try desk.turn()
                var view = DayView(
                    day: desk.day, now: WallClock.milliseconds(), language: language)
                (view.isFirstThen, view.isAway) = (isFirstThen, desk.isAway)
                if screen.look.hasColours, screen.look.isUnicode {
                    (view.raster, view.isFine) = (pictures.raster, Terminal.hasAllColours)
                }
                screen.show(view.lines(screen.size))
                for key in screen.readKeys(within: 200) {
                    switch key {
                    case .character("q"): return
                    case .character("f"): isFirstThen.toggle()
                    default: if let change = desk.change(for: key) { try desk.make(change) }
                    }
                }
            }
        }
    }
}

/// Today as the view shows it: fetched again and again, and changed by its keys.
private struct DayDesk {
    private let session: Session
    private let person: String
    private var asked: ContinuousClock.Instant?
    /// The day; nil if there is none.
    private(set) var day: Day?
    /// True if the service can't be reached at the moment.
    private(set) var isAway = false
    /// The pictures that are shown in it.
    let pictures: DayPictures

    /// How often to fetch the day.
    private static let interval: Duration = .seconds(1)

    init(_ session: Session, person: String) {
        (self.session, self.person) = (session, person)
        pictures = DayPictures { try session.picture($0, of: person) }
    }

    /// Fetches the day for the first time, so that a person who may not see it learns that before
    /// there is a screen.
    mutating func begin() throws {
        try read()
    }

    /// Fetches the day when it is time.
    mutating func turn() throws {
        if let asked, ContinuousClock.now - asked < Self.interval { return }
        do { try read() } catch { try away(error) }
    }

    /// The change that a key makes to the day; nil for a key that does nothing now.
    func change(for key: Key) -> ChangeDay.Change? {
        guard let day else { return nil }
        if key == .character("u") { return .undo(true) }
        guard day.state == .confirmed else {
            return key == .character("y") ? .confirm(true) : nil
        }
        if key == .character("p") { return .pause(day.paused == 0) }
        guard day.current(at: WallClock.milliseconds()) != nil else { return nil }
        return switch key {
        case .character(" "), .enter: .done("")
        case .character("s"): .skip("")
        case .character("m"): .more(MoreTime(minutes: 5))
        default: nil
        }
    }

    /// Changes the day. A change that isn't possible now, such as more time when nothing is being
    /// done, does nothing.
    mutating func make(_ change: ChangeDay.Change) throws {
        do {
            day = try session.ask(
                .routine, ChangeDay(person: person, date: day?.date ?? "", change: change),
                for: Day.self)
            isAway = false
        } catch ClientError.refused(let refusal) where refusal.code == .conflict {
            asked = nil
        } catch {
            try away(error)
        }
    }

    private mutating func read() throws {
        asked = .now
        do {
            day = try session.ask(.routine, ReadDay(person: person), for: Day.self)
            if let day { try pictures.fetch(for: day) }
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            day = nil
        }
        isAway = false
    }

    private mutating func away(_ error: any Error) throws {
        guard Failure(error)?.isUnreachable == true else { throw error }
        isAway = true
    }
}
