import Messages
import Phrases
import Pictures
import RoutineDay
import Speech

/// The full-screen view of a day: a picture of what is being done, the remaining time as a bar that
/// shrinks, and what comes next. It is pure: the same day at the same time gives the same lines. It
/// never counts, hurries or blames.
struct DayView {
    /// The day; nil if there is none.
    let day: Day?
    /// Milliseconds since 1970.
    let now: Int64
    let language: Language
    /// True to show only “first this, then that”.
    var isFirstThen = false
    /// True if the service can't be reached at the moment.
    var isAway = false
    /// A message for the person, such as why a key did nothing; nil for none.
    var message: Said<DayPhrase>?
    /// The picture with a checksum, or else of an emoji; nil where the terminal can't show any.
    var raster: (_ checksum: [UInt8], _ emoji: String) -> Raster? = { _, _ in nil }
    /// True when the terminal shows all colours, not only 256.
    var isFine = false

    private var words: Words<DayPhrase> { Words(language) }

    /// The lines for a window of this size.
    func lines(_ size: WindowSize) -> [StyledLine] {
        let body = body(size)
        let foot = foot(size)
        let room = max(0, size.rows - foot.count)
        let above = max(0, (room - body.count) / 2)
        var lines = Array(repeating: StyledLine(), count: above) + body
        lines = Array(lines.prefix(room))
        lines += Array(repeating: StyledLine(), count: room - lines.count)
        return lines + foot
    }

    // MARK: What there is to do

    private func body(_ size: WindowSize) -> [StyledLine] {
        guard let day else { return picture([], "🗓️", words.say(.noDay), size) }
        if day.isFinished { return picture([], "🌙", words.say(.dayDone), size) }
        let current = day.current(at: now)
        let next = day.next(at: now)
        if isFirstThen { return firstThen(day, current, next, size) }
        var lines: [StyledLine]
        if let current {
            lines = [Self.centred(words.say(.now), size, .dim)]
            lines += picture(day, current, size)
            let step = day[current]
            lines += ["", bar(step.start, step.end, of: current, size)]
            lines.append(Self.centred(left(step.end, of: current), size))
        } else if let next, day.state == .confirmed, day[next].start - now <= Self.wait,
            day[next].start > now
        {
            return waiting(day, next, size)
        } else {
            lines = picture([], "☁️", words.say(.nothingNow), size)
        }
        if let next {
            lines += ["", "", upcoming(day, next, size)]
        }
        return lines
    }

    /// How long before something begins the view counts down to it, milliseconds: half an hour.
    private static let wait: Int64 = 30 * DayTime.minute

    /// The lines when nothing is current and something begins soon: its picture, and the time until
    /// then as a bar that shrinks.
    private func waiting(_ day: Day, _ next: Day.Place, _ size: WindowSize) -> [StyledLine] {
        let start = day[next].start
        let ends: [Int64] = day.places.map { day[$0].ended > 0 ? day[$0].ended : day[$0].end }
        let before: Int64 = ends.filter { $0 <= now }.max() ?? 0
        return [Self.centred(words.say(.waitingFor), size, .dim)]
            + picture(day, next, size)
            + [
                "", bar(max(before, start - Self.wait), start, of: next, size),
                Self.centred(left(start, of: next), size),
            ]
    }

    private func firstThen(
        _ day: Day, _ current: Day.Place?, _ next: Day.Place?, _ size: WindowSize
    ) -> [StyledLine] {
        let first = current ?? next
        let then = current == nil ? next.flatMap { day.following($0) } : next
        var lines: [StyledLine] = []
        for (word, place) in [(DayPhrase.first, first), (.then, then)] {
            guard let place else { continue }
            if !lines.isEmpty { lines += ["", Self.centred("↓", size, .dim), ""] }
            lines.append(Self.centred(words.say(word), size, .dim))
            lines += picture(day, place, size)
        }
        return lines
    }

    private func picture(_ day: Day, _ place: Day.Place, _ size: WindowSize) -> [StyledLine] {
        picture(day.picture(at: place), emoji(day, place), title(day, place), size)
    }

    /// A picture, as large as there is room, and its words below.
    private func picture(
        _ checksum: [UInt8], _ emoji: String, _ title: String, _ size: WindowSize
    ) -> [StyledLine] {
        let rows = isFirstThen ? (size.rows - 14) / 2 : size.rows - 13
        let room = WindowSize(columns: size.columns - 2, rows: min(rows, 40))
        guard rows >= 5, let raster = raster(checksum, emoji) else {
            return framed(emoji, title, size)
        }
        return PictureBlock.lines(raster, room, isFine: isFine).map { Self.centred($0, size) }
            + ["", Self.centred(title, size, .bold)]
    }

    /// An emoji in a frame, and its words below.
    private func framed(_ emoji: String, _ title: String, _ size: WindowSize) -> [StyledLine] {
        let inner = max(12, min(size.columns - 8, 36))
        let edge = String(repeating: "─", count: inner)
        let blank = "│" + String(repeating: " ", count: inner) + "│"
        let side = max(0, (inner - emoji.columns) / 2)
        let rest = max(0, inner - side - emoji.columns)
        let middle =
            "│" + String(repeating: " ", count: side) + emoji + String(repeating: " ", count: rest)
            + "│"
        let isTall = size.rows >= 20
        let padding = isTall && !isFirstThen ? [blank, blank] : [blank]
        return (["╭\(edge)╮"] + padding + [middle] + padding + ["╰\(edge)╯"])
            .map { Self.centred($0, size, .cyan) }
            + ["", Self.centred(title, size, .bold)]
    }

    /// True if the time of something stands still: the day is paused. An appointment doesn't wait.
    private func isHeld(_ place: Day.Place) -> Bool {
        day.map { $0.paused > 0 && !$0.items[place.item].isAppointment } ?? false
    }

    /// The remaining time as a bar that shrinks to the left, so that nobody has to read a number.
    private func bar(
        _ start: Int64, _ end: Int64, of place: Day.Place, _ size: WindowSize
    ) -> StyledLine {
        let width = max(10, min(size.columns - 8, 60))
        let length = max(1, end - start)
        let present = isHeld(place) ? min(now, day?.paused ?? now) : now
        let left = min(max(end - present, 0), length)
        let full = Int((Int64(width) * left + length - 1) / length)
        var line = StyledLine(String(repeating: " ", count: max(0, (size.columns - width) / 2)))
        line.add(String(repeating: "█", count: full), .green)
        line.add(String(repeating: "░", count: width - full), .dim)
        return line
    }

    private func left(_ end: Int64, of place: Day.Place) -> String {
        if isHeld(place) { return words.say(.isPaused) }
        let minutes = (end - now + 59_999) / 60_000
        guard minutes > 0 else { return words.say(.ready) }
        return words.say(.minutesLeft, ["count": "\(minutes)"])
    }

    private func upcoming(_ day: Day, _ place: Day.Place, _ size: WindowSize) -> StyledLine {
        let clock = DayTime(of: day)?.clock(day[place].start) ?? ""
        let when = words.say(.atClock, ["clock": clock])
        return Self.centred(
            "\(words.say(.next)): \(emoji(day, place)) \(title(day, place)), \(when)", size)
    }

    private func emoji(_ day: Day, _ place: Day.Place) -> String {
        let emoji = day.emoji(at: place)
        return emoji.isEmpty ? "📌" : emoji
    }

    private func title(_ day: Day, _ place: Day.Place) -> String {
        day[place].action?.title(in: language) ?? day.items[place.item].title
    }

    // MARK: The foot

    private func foot(_ size: WindowSize) -> [StyledLine] {
        var lines: [StyledLine] = []
        if isAway { lines.append(Self.centred(words.say(.unreachable), size, .dim)) }
        if let message { lines.append(Self.centred(words.say(message), size, .bold)) }
        if let day, let change = day.changes.first, change.account != day.person {
            let text = change.text?.text(in: language) ?? ""
            lines.append(
                Self.centred(
                    words.say(.changedBy, ["person": change.by, "change": text]), size))
        }
        if let day, day.state != .confirmed {
            lines.append(Self.centred(words.say(.notConfirmed), size, .bold))
        }
        lines.append(Self.centred(words.say(keys).keys(fitting: size.columns), size, .dim))
        return lines
    }

    /// The keys that do something at the moment.
    private var keys: DayPhrase {
        guard let day, day.state == .confirmed else { return .noKeys }
        return day.current(at: now) == nil ? .keysFree : .keys
    }

    private static func centred(_ line: StyledLine, _ size: WindowSize) -> StyledLine {
        var centred = StyledLine(
            String(repeating: " ", count: max(0, (size.columns - line.columns) / 2)))
        centred.add(line)
        return centred
    }

    private static func centred(
        _ text: String, _ size: WindowSize, _ style: Style? = nil
    ) -> StyledLine {
        let text = text.printable.truncated(to: size.columns)
        var line = StyledLine(
            String(repeating: " ", count: max(0, (size.columns - text.columns) / 2)))
        line.add(text, style)
        return line
    }
}

extension Day {
    /// The action after another one in order of time.
    fileprivate func following(_ place: Place) -> Place? {
        let order = toCome
        guard let index = order.firstIndex(of: place), index + 1 < order.count else { return nil }
        return order[index + 1]
    }
}
