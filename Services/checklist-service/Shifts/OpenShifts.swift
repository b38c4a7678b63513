import Messages
import ServiceRuntime
import ShiftLog
import Synchronization

/// The open shifts in which something was recorded last, with everything applied. A recording takes
/// a shift out and puts it back, so that nothing is copied. A shift that isn't here is read from
/// the store, with the same result.
///
/// A shift is identified by its mark, the hash of its newest operation, which is chained to all
/// before it. So a shift that a rolled back command has put here is never used.
final class OpenShifts: Sendable {
    static let shared = OpenShifts()

    /// The maximum number of shifts, and of tasks and operations in all of them.
    static let mostShifts = 16
    static let mostParts = 10_000

    private struct Entry {
        let mark: [UInt8]
        let state: ShiftState
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostShifts, mostWeight: mostParts))

    /// Takes out a shift; nil if it isn't in the state that its mark names.
    func take(_ shift: String, _ mark: [UInt8]?) -> ShiftState? {
        let entry = entries.withLock { $0.take(shift) }
        return entry?.mark == mark ? entry?.state : nil
    }

    /// The state of a shift, which stays here; nil if it isn't the one that its mark names.
    func state(of shift: String, _ mark: [UInt8]?) -> ShiftState? {
        let entry = entries.withLock { $0[shift] }
        return entry?.mark == mark ? entry?.state : nil
    }

    /// Puts back a shift in the state that a mark names. A shift that has ended, or that is too
    /// large, isn't kept.
    func put(_ state: ShiftState, _ mark: [UInt8]) {
        let weight = state.lists.tasks.count + state.log.count
        guard state.isOpen, weight <= Self.mostParts else { return }
        let entry = Entry(mark: mark, state: state)
        entries.withLock { $0.put(entry, for: state.shift.id, weight: weight) }
    }
}
