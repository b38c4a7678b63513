import Bus
import Foundation
import TestSupport

/// A clock that runs many times faster than the real one and can jump, for all processes started
/// with its environment.
final class FastClock {
    private let path: String
    private let speed: Double
    private let start = ContinuousClock.now
    private var jumped = 0

    init(at path: String, speed: Double) throws {
        (self.path, self.speed) = (path, speed)
        try advance()
    }

    /// The environment that gives a process this clock.
    var environment: [String: String] {
        ["LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": path]
    }

    private var shift: Int {
        Int((ContinuousClock.now - start) / .seconds(1) * (speed - 1)) + jumped
    }

    /// The time that it showed at the last ``advance()``, in milliseconds since 1970.
    private(set) var shown = 0

    /// The present time, in milliseconds since 1970.
    var now: Int64 { WallClock.milliseconds() + Int64(shown) * 1000 }

    /// Advances the clock. Call this several times a second.
    func advance() throws {
        shown = shift
        try "\(shown)".write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Makes the clock jump by a number of seconds, forward or back.
    func jump(_ seconds: Int) throws {
        jumped += seconds
        try advance()
    }
}
