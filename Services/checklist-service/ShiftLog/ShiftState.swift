import LocalTime
import Messages

/// What a shift has come to: its lists and its operations in order of effect, folded.
///
/// The service and every working copy fold the same operations and come to the same state. There is
/// no clock in it: where the time matters, it is an argument.
///
/// ```swift
/// var state = try ShiftState(shift: shift, lists: templates)
/// try state.check(operation)
/// state.apply(operation)
/// ```
package struct ShiftState: Hashable, Sendable {
    /// The shift; `ended` follows from its operations.
    package internal(set) var shift: Shift
    /// The settings that it began with.
    package let settings: SiteSettings
    /// The lists that it works with.
    package let lists: ShiftLists
    /// The site's local time.
    package let localTime: LocalTime
    /// Every operation, in order of effect.
    package internal(set) var log: [ShiftOperation] = []
    /// The newest sequence that was applied.
    package internal(set) var head: UInt64 = 0
    /// What was taken in after the end, in order: it has no effect but to be kept.
    package internal(set) var appendix: [ShiftOperation] = []
    /// The end as it was recorded; nil while the shift is open.
    package internal(set) var done: ShiftDone?

    /// For each position in `lists.tasks`.
    var tasks: [TaskRecord]
    /// In the order in which they were added.
    var ownTodos: [OwnTodo] = []
    var ownTodoPositions: [String: Int] = [:]
    var beginnings: [TravelPathBeginning] = []
    var walks: [TravelPathWalk] = []
    var figures: [FigureKey: FigureEntry] = [:]
    /// The newest number of each device.
    var devices: [String: UInt64] = [:]
    /// Where in the log each operation stands.
    var places: [MessageID: Int] = [:]
    /// The operations that contradicted what their person could not know.
    var contradictions: Set<MessageID> = []

    /// A shift before its first operation.
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
            throw .invalid("the time zone `\(shift.timeZone)` isn't known on this machine")
        }
        self.shift = shift
        self.localTime = localTime
        self.lists = ShiftLists(lists)
        tasks = [TaskRecord](repeating: TaskRecord(), count: self.lists.tasks.count)
    }

    /// A shift before its first operation, as a working copy gets it.
    ///
    /// - Throws: as the other one, and when a list isn't the version that the shift began with.
    package init(snapshot: ShiftSnapshot) throws(Refusal) {
        guard let shift = snapshot.shift, shift.lists.count == snapshot.lists.count else {
            throw .invalid("the shift doesn't come with its lists")
        }
        var lists: [ChecklistTemplate] = []
        for (pinned, packed) in zip(shift.lists, snapshot.lists) {
            guard ArchiveChain.digest(packed) == pinned.digest else {
                throw .invalid(
                    "the list `\(pinned.name)` isn't the version \(pinned.version) that the shift "
                        + "began with")
            }
            do { lists.append(try ChecklistTemplate(stored: packed)) } catch {
                throw .invalid("the list `\(pinned.name)` can't be read: \(error)")
            }
        }
        try self.init(shift: shift, lists: lists)
    }

    /// True while operations have an effect.
    package var isOpen: Bool { shift.ended == 0 }

    /// The language in which the site reads its lists.
    package var language: String { settings.language.isEmpty ? "en" : settings.language }

    /// The newest number that a device has used; 0 for none.
    package func newestNumber(of device: String) -> UInt64 { devices[device] ?? 0 }

    /// The newest number of every device that made operations.
    package var deviceNumbers: [String: UInt64] { devices }

    /// The operation of that id as it was taken in; nil when it wasn't.
    package func operation(_ id: [UInt8]) -> ShiftOperation? {
        MessageID(bytes: id).flatMap { places[$0] }.map { log[$0] }
    }

    /// True when an operation that was taken in contradicted a mark that its person could not
    /// know.
    package func isContradiction(_ id: [UInt8]) -> Bool {
        MessageID(bytes: id).map(contradictions.contains) ?? false
    }
}
