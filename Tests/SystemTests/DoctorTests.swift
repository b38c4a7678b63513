import Bus
import Foundation
import TestSupport
import Testing

/// `steward doctor` with the real services.
@Suite(.serialized) struct DoctorTests {
    private let system: System

    init() throws { system = try System() }

    @Test func `where all runs nothing is wrong`() throws {
        let programs = try start()

        try eventually("the doctor finds nothing") {
            let look = try system.run("steward", "doctor")
            return look.end == .exited(0) && look.out == "nothing is wrong\n"
        }
        withExtendedLifetime(programs) {}
    }

    @Test func `a service that fell is named, with its cure and an exit code`() throws {
        let programs = try start()
        programs[1].kill()

        let look = try system.run("steward", "doctor")

        #expect(look.end == .exited(70))
        #expect(look.out.contains("wrong: notifier is not running\n       start it: steward up"))
    }

    @Test func `without keys where keys are needed it says how they are made`() throws {
        let look = try system.spawn(
            ["\(System.executables)/steward", "doctor"],
            environment: system.environment(
                bus: "tcp://127.0.0.1:\(Loopback.port())",
                adding: ["STEWARD_KEYS": system.path("keys")]))

        #expect(try look.waitForEnd() == .exited(70))
        #expect(look.out.contains("make one with steward keys init"))
    }

    private func start() throws -> [Program] {
        let programs = try ServiceName.allCases.map { try system.launch($0.rawValue) }
        for program in programs { try program.waitUntilReady() }
        return programs
    }
}
