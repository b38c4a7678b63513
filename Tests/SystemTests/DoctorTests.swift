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
        // On a busy machine the answer may come too late, or too late to compare clocks.
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

    @Test func `the doctor says when browsers don't find the pages where the settings say`() throws
    {
        let port = Loopback.port()
        let listen = ["STEWARD_WEB_LISTEN": "127.0.0.1:\(port)"]
        let programs = try start(adding: listen)
        for (more, sentence) in [
            ([:], "nothing is wrong"),
            (
                ["STEWARD_WEB_LISTEN": "127.0.0.1:\(port + 1)"],
                "soon: web-service runs, but doesn't answer at 127.0.0.1:\(port + 1)"
            ),
            (
                [
                    "STEWARD_WEB_ORIGIN": "https://pages.example",
                    "STEWARD_WEB_PROXY": "127.0.0.1",
                ],
                "soon: web-service shows no pages to browsers that find it at https://pages.example"
            ),
            (
                ["STEWARD_WEB_ORIGIN": "http://pages.example"],
                "wrong: at http://pages.example browsers allow neither checklists"
            ),
        ] as [([String: String], String)] {
            // On a busy machine a service may answer too late.
            try eventually("the doctor says: \(sentence)") {
                let look = try system.spawn(
                    ["\(System.executables)/steward", "doctor"],
                    environment: system.environment(adding: listen.merging(more) { $1 }))
                _ = try look.waitForEnd()
                return look.out.contains(sentence)
            }
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
