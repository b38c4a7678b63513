import Bus
import Foundation
import TestSupport

/// A clock that goes many times faster than the real one and can jump, for all processes that are
/// started with its environment.
final class FastClock {
    private let path: String
    private let speed: Double
    private let start = ContinuousClock.now
    private var jumped = 0

    init(at path: String, speed: Double) throws {
        (self.path, self.speed) = (path, speed)
        try advance()
    }

    /// What a process needs in its environment to have this clock.
    var environment: [String: String] {
        ["LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": path]
    }

    private var shift: Int {
        Int((ContinuousClock.now - start) / .seconds(1) * (speed - 1)) + jumped
    }

    /// What it shows at the last ``advance()``, milliseconds since 1970.
    private(set) var shown = 0

    /// Milliseconds since 1970.
    var now: Int64 { WallClock.milliseconds() + Int64(shown) * 1000 }

    /// Sets it on. Call it several times a second.
    func advance() throws {
        shown = shift
        try "\(shown)".write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Lets it jump by so many seconds, forward or back.
    func jump(_ seconds: Int) throws {
        jumped += seconds
        try advance()
    }
}
