import Foundation
import TestSupport

/// A satellite receiver on TCP that plays the ride of the demo, 60 times faster, as NMEA.
struct Receiver {
    /// Its process.
    let program: Program
    /// Where it listens.
    let port: Int

    /// Starts one.
    ///
    /// - Parameters:
    ///   - system: the installation that it is for.
    ///   - silence: a file; while it exists, the receiver writes nothing.
    init(in system: System, silence: String = "") throws {
        let program = try system.spawn(
            [
                "/usr/bin/python3", Town.root + "/Tests/TestSupport/Fixtures/receiver.py",
                Town.root + "/deploy/demo/ride.csv", "60", "--silent", silence,
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the receiver listens") { program.out.hasSuffix("\n") }
        guard let port = Int(program.out.dropFirst(5).dropLast()) else {
            throw Complaint("the receiver doesn't say where: \(program.out)")
        }
        (self.program, self.port) = (program, port)
    }
}
