import Foundation

/// Wakes a thread that waits with a ``Poller``. Any thread may ring it; it stays rung until the
/// thread has woken up.
public final class Bell: Sendable {
    /// Readable while the bell is rung.
    let descriptor: Int32
    private let rope: Int32

    /// Makes a bell, which is not rung.
    ///
    /// - Throws: ``BusError`` when the system has no descriptor left.
    public init() throws(BusError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw BusError("pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, rope) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(rope)
    }

    /// Wakes the thread, now or when it waits next.
    public func ring() {
        // This fails only when the pipe is full, and then the bell is already rung.
        var byte: UInt8 = 1
        _ = write(rope, &byte, 1)
    }

    /// Ends the ringing.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
