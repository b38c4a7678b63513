import LocalTime
import Messages

/// The state of a shift: the result of its lists and its operations in order of effect.
///
/// The service and every working copy apply the same operations and get the same state. It uses no
/// clock: the time is an argument where it matters.
///
/// ```swift
/// var state = try ShiftState(shift: shift, lists: templates)
/// try state.validate(operation)
/// state.apply(operation)
/// ```
package struct ShiftState: Hashable, Sendable {
    /// The shift; `ended` follows from its operations.
    package internal(set) var shift: Shift
    /// The settings that it began with.
    package let settings: SiteSettings
    /// The lists that it uses.
    package let lists: ShiftLists
    /// The site's local time.
    package let localTime: LocalTime
    /// Every operation, in order of effect.
    package internal(set) var log: [ShiftOperation] = []
    /// The newest sequence that was applied.
    package internal(set) var head: UInt64 = 0
    /// The operations accepted after the end, in order: they are kept but have no effect.
    package internal(set) var appendix: [ShiftOperation] = []
    /// The recorded end; nil while the shift is open.
    package internal(set) var done: ShiftDone?

    /// The records of the tasks, by index in `lists.tasks`.
    var tasks: [TaskRecord]
    /// The to-dos that people added, in the order in which they were added.
    var ownTodos: [OwnTodo] = []
    var ownTodoPositions: [String: Int] = [:]
    /// The numbers of the to-dos that people added.
    package internal(set) var numbers = TodoNumbers()
    var beginnings: [TravelPathBeginning] = []
    var walks: [TravelPathWalk] = []
    var figures: [FigureKey: FigureEntry] = [:]
    /// What the shift manager lets crew members do, instead of what the templates say.
    var crewRights: [CrewKey: CrewMay] = [:]
    /// The newest number of each device.
    var devices: [String: UInt64] = [:]
    /// The index of each operation in the log.
    var places: [MessageID: Int] = [:]
    /// What was stated without knowledge of something that it contradicts, in order.
    package internal(set) var contradictions: [Contradiction] = []

    /// Makes a shift before its first operation.
    ///
    /// - Parameters:
    ///   - shift: the shift, with the settings and the time zone that it began with.
    ///   - lists: the pinned versions of its templates, in the order of `shift.lists`.
    /// - Throws: when the settings can't be read or the time zone isn't known.
    package init(shift: Shift, lists: [ChecklistTemplate]) throws(Refusal) {
        do { settings = try SiteSettings(stored: shift.settings) } catch {
            throw .invalid("the settings of the shift can't be read: \(error)")
        }
        guard let localTime = LocalTime(zone: shift.timeZone) else {
            throw .invalid("the time zone “\(shift.timeZone)” isn't known on this machine")
        }
        self.shift = shift
        self.localTime = localTime
        self.lists = ShiftLists(lists)
        tasks = [TaskRecord](repeating: TaskRecord(), count: self.lists.tasks.count)
    }

    /// Makes a shift before its first operation from the message that a working copy gets.
    ///
    /// - Throws: the same, and when a list isn't the version that the shift began with.
    package init(snapshot: ShiftSnapshot) throws(Refusal) {
        guard let shift = snapshot.shift, shift.lists.count == snapshot.lists.count else {
            throw .invalid("the shift doesn't come with its lists")
        }
        var lists: [ChecklistTemplate] = []
        for (pinned, packed) in zip(shift.lists, snapshot.lists) {
            guard ArchiveChain.digest(packed) == pinned.digest else {
                throw .invalid(
                    "the list “\(pinned.name)” isn't the version \(pinned.version) that the shift "
                        + "began with")
            }
            do { lists.append(try ChecklistTemplate(stored: packed)) } catch {
                throw .invalid("the list “\(pinned.name)” can't be read: \(error)")
            }
        }
        try self.init(shift: shift, lists: lists)
    }

    /// Goes back to before the first operation.
    mutating func clear() {
        shift.ended = 0
        (log, head, appendix, done) = ([], 0, [], nil)
        tasks = [TaskRecord](repeating: TaskRecord(), count: lists.tasks.count)
        (ownTodos, ownTodoPositions, numbers) = ([], [:], TodoNumbers())
        (beginnings, walks, figures, devices) = ([], [], [:], [:])
        crewRights = [:]
        places = [:]
        contradictions = []
    }

    /// True while operations have an effect.
    package var isOpen: Bool { shift.ended == 0 }

    /// The language of the site's lists.
    package var language: String { settings.language.isEmpty ? "en" : settings.language }

    /// The newest number that a device has used; 0 for none.
    package func newestNumber(of device: String) -> UInt64 { devices[device] ?? 0 }

    /// The accepted operation with an id; nil when there is none.
    package func operation(_ id: [UInt8]) -> ShiftOperation? {
        MessageID(bytes: id).flatMap { places[$0] }.map { log[$0] }
    }
}
