import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests `steward doctor` with the real services.
@Suite(.serialized, .waiting) struct DoctorTests {
    private let system: System

    init() throws { system = try System() }

    @Test func `the doctor finds nothing if everything runs`() throws {
        let programs = try start()

        try eventually("the doctor finds nothing") {
            let look = try system.run("steward", "doctor")
            return look.end == .exited(0) && look.out == "nothing is wrong\n"
        }
        withExtendedLifetime(programs) {}
    }

    @Test func `a service that crashed is named, with a remedy and an exit code`() throws {
        let programs = try start()
        programs[1].kill()

        let look = try system.run("steward", "doctor")

        #expect(look.end == .exited(70))
        #expect(look.out.contains("wrong: notifier is not running\n       start it: steward up"))
    }

    @Test func `if keys are needed and missing, the doctor says how to make them`() throws {
        let look = try system.spawn(
            ["\(System.executables)/steward", "doctor"],
            environment: system.environment(
                bus: "tcp://127.0.0.1:\(Loopback.port())",
                adding: ["STEWARD_KEYS": system.path("keys")]))

        #expect(try look.waitForEnd() == .exited(70))
        #expect(look.out.contains("make one with steward keys init"))
    }

    @Test func `a clock that is off is named by the status and by the doctor`() throws {
        try Data("5".utf8).write(to: URL(filePath: system.path("clock")), options: .atomic)
        let programs = try start(adding: [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
            "SHIFTED_CLOCK": system.path("clock"),
        ])

        let sentence = #/the clock of notifier is [2-5] s ahead of the one here/#
        // On a busy machine the answer may come too late, or too late to tell.
        try eventually("the status names it") {
            let status = try system.run("steward", "status")
            return status.end == .exited(0) && status.err.contains(sentence)
        }
        try eventually("the doctor names it") {
            let look = try system.run("steward", "doctor")
            return look.end == .exited(70) && look.out.contains(sentence)
        }
        withExtendedLifetime(programs) {}
    }

    private func start(adding more: [String: String] = [:]) throws -> [Program] {
        let programs = try ServiceName.allCases.map {
            try system.launch($0.rawValue, adding: more)
        }
        for program in programs { try program.waitUntilReady() }
        return programs
    }
}
