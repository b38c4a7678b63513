import Foundation
import TestSupport

/// A satellite receiver on TCP that replays the demo's ride as NMEA.
struct Receiver {
    /// The process of the receiver.
    let program: Program
    /// The port that it listens on.
    let port: Int

    /// Starts a receiver.
    ///
    /// - Parameters:
    ///   - system: the installation that it is for.
    ///   - silence: a file; while it exists, the receiver writes nothing.
    ///   - speed: how many times faster than it was recorded.
    init(in system: System, silence: String = "", speed: Int = 60) throws {
        let program = try system.spawn(
            [
                "/usr/bin/python3", Town.root + "/Tests/TestSupport/Fixtures/receiver.py",
                Town.root + "/deploy/demo/ride.csv", "\(speed)", "--silent", silence,
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the receiver listens") { program.out.hasSuffix("\n") }
        guard let port = Int(program.out.dropFirst(5).dropLast()) else {
            throw Complaint("the receiver doesn't say where: \(program.out)")
        }
        (self.program, self.port) = (program, port)
    }
}
