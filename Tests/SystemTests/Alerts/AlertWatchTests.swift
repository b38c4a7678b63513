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

    @Test func `a siren that fails is reported even by a watch that was to ignore its children`()
        throws
    {
        let line = "alerts watch --count 1 --for 10m --run 'exit 3' --run-from urgent"
        let watch = try office.system.spawn(
            ["/bin/sh", "-c", "env --ignore-signal=CHLD '\(System.executables)/steward' \(line)"],
            environment: office.environment())
        try eventually("it watches") { watch.err.contains("watching") }

        try office.run("alerts call raise everyone Fire --severity urgent")

        #expect(try watch.waitForEnd() == .exited(0))
        #expect(watch.err.contains("ended with exit code 3"))
    }

    @Test func `a siren is switched off for an alert that a replaced store doesn't know`() throws {
        let watch = try begin("alerts watch --count 2 --for 10m \(siren)", "> /dev/null")
        try eventually("it watches") { watch.err.contains("watching") }
        try office.run("alerts call raise everyone Fire --severity urgent")
        try eventually("it has rung") { rung() == ["raised"] }

        office.stopNotifier()
        try office.system.edit(
            .notifier,
            """
            DELETE FROM notice;
            DELETE FROM call;
            DELETE FROM alert;
            DELETE FROM timer WHERE subject <> '';
            UPDATE feed SET head = 0;
            """)
        try office.restartNotifier()

        #expect(try watch.waitForEnd() == .exited(0), "\(watch.err)")
        #expect(rung() == ["raised", "closed"])
    }

    /// Signs a person up, logs them in on a device of the same name, and waits until the notifier
    /// accepts the log-in.
    private func logIn(_ name: String) throws {
        try office.signUp(name, .administrator)
        try eventually("the notifier knows the person") {
            try office.say("alerts list", device: name).end == .exited(0)
        }
    }

    @Test func `a siren goes on once the log-in can be renewed again`() throws {
        try logIn("ann")
        let watch = try office.begin("alerts watch \(siren)", device: "ann")
        try eventually("it watches") { watch.err.contains("watching") }

        office.stopAccounts()
        // A token is valid for ten minutes.
        try office.setClock(700)
        office.stopNotifier()
        try eventually("it says that it hears nothing") {
            watch.err.contains("the notifier is silent") || !watch.isRunning
        }
        try office.restartNotifier()
        try office.startAccounts()
        try eventually("it hears again") {
            watch.err.contains("the notifier is back") || !watch.isRunning
        }
        try office.run("alerts call raise everyone Fire --severity urgent")

        try eventually("it has rung") { rung() == ["raised"] || !watch.isRunning }
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0), "\(watch.err)")
        #expect(rung() == ["raised"])
    }

    @Test func `a siren goes on with a new token whenever its token is revoked`() throws {
        try logIn("ann")
        let watch = try office.begin("alerts watch \(siren)", device: "ann")
        try eventually("it watches") { watch.err.contains("watching") }

        for round in 1...2 {
            try office.revokeTokens(of: "ann", by: "supervisor", at: "notifier")
            office.stopNotifier()
            func count(_ text: String) -> Int { watch.err.components(separatedBy: text).count - 1 }
            try eventually("it hears nothing") {
                count("the notifier is silent") >= round || !watch.isRunning
            }
            try office.restartNotifier()
            try eventually("it hears again") {
                count("the notifier is back") >= round || !watch.isRunning
            }
        }
        try office.run("alerts call raise everyone Fire --severity urgent")

        try eventually("it has rung") { rung() == ["raised"] || !watch.isRunning }
        watch.signal(SIGINT)
        #expect(try watch.waitForEnd() == .exited(0), "\(watch.err)")
        #expect(rung() == ["raised"])
    }

    @Test func `a log-in that can't be renewed is used until its token has expired`() throws {
        try logIn("ann")
        office.stopAccounts()

        // A busy machine may take longer than that to begin the command.
        try eventually("the log-in is used") {
            try office.expireLogIn(in: 29, device: "ann")
            return try office.say("alerts list", device: "ann").end == .exited(0)
        }

        try office.expireLogIn(in: -1, device: "ann")
        let late = try office.say("alerts list", device: "ann")
        #expect(late.end == .exited(69))
        #expect(late.err.contains("account-service is not running"))
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
