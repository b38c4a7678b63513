import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that `alerts watch` runs its command for every notice, whatever happens around it.
@Suite(.serialized, .waiting) struct AlertWatchTests {
    private let office: AlertOffice
    private let heard: String
    /// The options with which `alerts watch` notes the reason of each urgent notice.
    private let siren: String

    init() throws {
        office = try AlertOffice()
        heard = office.system.path("heard")
        let script = office.system.path("ring")
        try "printf '%s\\n' \"$ALERT_REASON\" >> '\(heard)'\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        siren = "--run 'sh \(script)' --run-from urgent"
    }

    /// The reasons of the notices for which the command was run.
    private func rung() -> [Substring] {
        String(decoding: FileManager.default.contents(atPath: heard) ?? Data(), as: UTF8.self)
            .split(separator: "\n")
    }

    /// Starts a command in a shell, with its standard output somewhere else.
    private func begin(_ line: String, _ output: String) throws -> Program {
        try office.system.spawn(
            ["/bin/sh", "-c", "'\(System.executables)/steward' \(line) \(output)"],
            environment: office.environment())
    }

    @Test func `a siren goes on when nobody reads any more what the watch prints`() throws {
        let watch = try begin("alerts watch --count 2 --for 10m \(siren)", "| true")
        try eventually("it watches") { watch.err.contains("watching") }

        for name in ["One", "Two"] {
            try office.run("alerts call raise everyone \(name) --severity urgent")
        }

        try eventually("it has rung twice") { rung() == ["raised", "raised"] }
        #expect(try watch.waitForEnd() == .exited(0))
    }

    @Test func `a siren goes on with a full disk, and the watch ends with the reason`() throws {
        let watch = try begin("alerts watch --count 2 --for 10m \(siren)", "> /dev/full")
        try eventually("it watches") { watch.err.contains("watching") }

        for name in ["One", "Two"] {
            try office.run("alerts call raise everyone \(name) --severity urgent")
        }

        #expect(try watch.waitForEnd() == .exited(70))
        #expect(rung() == ["raised", "raised"])
        #expect(watch.err.contains("the result can't be written: No space left on device"))
    }

    @Test(arguments: [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
    func `a result that can't be written is an error with its reason`(
        output: String, reason: String
    ) throws {
        let list = try begin("alerts list --json", output)

        #expect(try list.waitForEnd() == .exited(70))
        #expect(list.err.contains("the result can't be written: \(reason)"))
    }
}
