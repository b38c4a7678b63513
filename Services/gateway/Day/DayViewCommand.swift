import ArgumentParser
import Bus
import Messages
import Phrases
import RoutineDay
import ShiftClient
import Speech
import Terminal
import WorkingCopy

extension DayCommand {
    /// `steward day view`
    struct View: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "view",
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
            var desk = try DayViewDesk(session, person: try person.account(session))
            try desk.begin()
            try goThrough(&desk, session)
            if output.json { try session.printer.json(.days, desk.day.map { [$0] } ?? []) }
        }

        /// Shows the day until the person closes it.
        private func goThrough(_ desk: inout DayViewDesk, _ session: Session) throws {
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
                view.message = desk.message
                if screen.look.hasColours, screen.look.isUnicode {
                    (view.raster, view.isFine) = (pictures.raster, Terminal.hasAllColours)
                }
                screen.show(view.lines(screen.size))
                for key in screen.readKeys(within: 200) {
                    desk.forgetFailure()
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
private struct DayViewDesk {
    private let desk: DayDesk
    private var asked: ContinuousClock.Instant?
    /// The day; nil if there is none.
    private(set) var day: Day?
    /// The pictures that are shown in it.
    let pictures: DayPictures

    /// True if the service can't be reached at the moment.
    var isAway: Bool { isLost || desk.obstacle != nil }
    /// True if the service can't be reached and this device has no such day.
    private var isLost = false
    /// Why the last key did nothing, or else what the service has refused; nil for nothing.
    var message: Said<DayPhrase>? {
        failure.map { Said($0) }
            ?? desk.refused.last.map { Said(.staysHere, ["date": .text($0.date)]) }
    }
    private var failure: DayPhrase?

    /// How often to fetch the day.
    private static let interval: Duration = .seconds(1)
    /// How long the screen stands still for a service that doesn't answer.
    private static let patience: Duration = .seconds(1)

    init(_ session: Session, person: String) throws {
        let desk = try DayDesk(session, person: person, date: nil)
        self.desk = desk
        let shelf = person.isEmpty ? try session.deviceFolder("days") : nil
        pictures = DayPictures { checksum in
            if let kept = shelf?.picture(checksum) { return kept }
            guard desk.obstacle == nil else { return nil }
            let picture = try session.picture(checksum, of: person)
            try shelf?.keep(picture)
            return picture
        }
    }

    /// Fetches the day for the first time, so that a person who may not see it learns that before
    /// the screen opens.
    mutating func begin() throws {
        try read()
        desk.patience = Self.patience
    }

    /// Fetches the day when it is time.
    mutating func turn() throws {
        if let asked, ContinuousClock.now - asked < Self.interval { return }
        if desk.hasJustWaited { return }
        do { try read() } catch { try goOn(after: error) }
    }

    /// The change that a key makes to the day; nil for a key that does nothing now.
    func change(for key: Key) -> ChangeDay.Change? {
        guard let day else { return nil }
        if key == .character("u") { return .undo(true) }
        guard day.state == .confirmed else {
            return key == .character("y") ? .confirm(true) : nil
        }
        if key == .character("p") { return .pause(day.paused == 0) }
        guard let current = day.current(at: WallClock.milliseconds()) else { return nil }
        return switch key {
        case .character(" "), .enter: .done(day[current].id)
        case .character("s"): .skip(day[current].id)
        case .character("m"): .more(MoreTime(minutes: 5))
        default: nil
        }
    }

    /// Forgets why a key did nothing, because the person has pressed another.
    mutating func forgetFailure() { failure = nil }

    /// Changes the day. A change that isn't possible now, such as undoing when there is nothing to
    /// undo, does nothing, and ``message`` says so.
    mutating func make(_ change: ChangeDay.Change) throws {
        do {
            try desk.change(change)
            day = desk.day
        } catch ClientError.refused(let refusal)
            where [.conflict, .notFound].contains(refusal.code)
        {
            asked = nil
            failure = .notPossible
        } catch let refused as Failure where refused.status == .refused {
            // This device refuses the change, such as undoing something that only the service
            // knows.
            failure = change == .undo(true) ? .needsContact : .notPossible
        } catch {
            try goOn(after: error)
            failure = .needsContact
        }
    }

    private mutating func read() throws {
        asked = .now
        do {
            try desk.read()
            isLost = false
            day = desk.day
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            day = nil
        }
        if let day { try pictures.fetch(for: day) }
    }

    /// Continues with what is here when the service can't do something now, or the session is over.
    private mutating func goOn(after error: any Error) throws {
        let isOver = (error as? Failure)?.status == .refused
        guard isOver || Failure.mayPass(error) else { throw error }
        isLost = true
    }
}
