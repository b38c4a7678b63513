import Synchronization

/// The bodies that are on their way on all connections, in one direction. If they have too many
/// bytes together, the one that began first is given up, unless it is small. So nobody who sends or
/// reads slowly, and never to the end, fills the memory or keeps others from using it.
final class MovingBodies: Sendable {
    private struct Body {
        var bytes = 0
        let giveUp: @Sendable () -> Void
    }

    private struct State {
        var bodies: [UInt64: Body] = [:]
        var bytes = 0
        var last: UInt64 = 0
    }

    private let most: Int
    /// The share of each connection. A body that is no larger is never given up: if there are too
    /// many bytes, another body is larger.
    private let share: Int
    private let state = Mutex(State())

    /// Makes a count of bodies that may have at most `most` bytes together.
    init(most: Int, connections: Int) { (self.most, share) = (most, most / max(1, connections)) }

    /// Adds a body without bytes.
    ///
    /// - Parameter giveUp: called once if it is given up.
    /// - Returns: its number.
    func begin(giveUp: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.bodies[state.last] = Body(giveUp: giveUp)
            return state.last
        }
    }

    /// Counts bytes of a body that are in memory from now on.
    func add(_ count: Int, to number: UInt64) {
        let outgoing = state.withLock { state -> [@Sendable () -> Void] in
            guard state.bodies[number] != nil else { return [] }
            state.bodies[number]?.bytes += count
            state.bytes += count
            var outgoing: [@Sendable () -> Void] = []
            while state.bytes > most {
                let large = state.bodies.filter { $0.value.bytes > share }
                guard let first = large.min(by: { $0.key < $1.key }) else { break }
                state.bodies[first.key] = nil
                state.bytes -= first.value.bytes
                outgoing.append(first.value.giveUp)
            }
            return outgoing
        }
        for giveUp in outgoing { giveUp() }
    }

    /// Counts bytes of a body that are no longer in memory.
    func remove(_ count: Int, from number: UInt64) {
        state.withLock { state in
            guard state.bodies[number] != nil else { return }
            state.bodies[number]?.bytes -= count
            state.bytes -= count
        }
    }

    /// Removes a body that is complete, or of which nothing more is sent or read.
    func end(_ number: UInt64) {
        state.withLock { state in
            guard let body = state.bodies.removeValue(forKey: number) else { return }
            state.bytes -= body.bytes
        }
    }
}
