import Foundation
import Messages
import Testing

@testable import Gateway

/// For which notices a siren's command is run when they come faster than it runs.
struct AlertProgramTests {
    private func program(from least: Severity = .info) -> AlertProgram {
        AlertProgram("siren", from: least) { _ in
            AlertProgram.Run(path: "/bin/true", arguments: [])
        }
    }

    private func notice(
        _ reason: AlertNotice.Reason, _ id: String, _ severity: Severity = .urgent
    ) -> AlertNotice {
        AlertNotice(reason: reason, alert: Alert(id: id, state: .open, severity: severity))
    }

    private func waiting(_ program: AlertProgram) -> [String] {
        program.waiting.map { "\($0.reason) \($0.alert)" }
    }

    @Test func `the end of an alert waits however much comes after it`() {
        let siren = program()
        siren.add(notice(.raised, "a"))
        siren.add(notice(.closed, "a"))
        for _ in 0..<1_000 { siren.add(notice(.repeated, "b")) }

        #expect(siren.waiting.count == AlertProgram.mostWaiting)
        #expect(waiting(siren).prefix(2) == ["raised a", "closed a"])
    }

    @Test func `repetitions are dropped before beginnings, the oldest first`() {
        let siren = program()
        for number in 0..<AlertProgram.mostWaiting { siren.add(notice(.raised, "\(number)")) }
        siren.add(notice(.repeated, "0"))
        #expect(waiting(siren).last == "raised \(AlertProgram.mostWaiting - 1)")

        siren.add(notice(.raised, "new"))
        #expect(waiting(siren).first == "raised 1" && waiting(siren).last == "raised new")
    }

    @Test func `ends that nobody needs don't fill the memory`() {
        let siren = program()
        for number in 0..<1_000 {
            siren.add(notice(.raised, "\(number)"))
            siren.add(notice(.closed, "\(number)"))
        }

        #expect(siren.waiting.count == AlertProgram.mostWaiting)
    }

    @Test func `an alert that has become less severe still ends`() {
        let siren = program(from: .urgent)
        siren.add(notice(.raised, "a"))
        siren.add(notice(.changed, "a", .info))
        siren.add(notice(.closed, "a", .info))
        siren.add(notice(.closed, "b", .info))

        #expect(waiting(siren) == ["raised a", "closed a"])
    }

    /// A siren that runs a command, and what it reports until nothing is left to do, or a minute
    /// is over.
    private func outcome(
        of command: String, within patience: Duration = .seconds(60),
        for notices: [AlertNotice]
    ) -> (reports: [String], isBusy: Bool) {
        let siren = AlertProgram("siren", from: .info) { _ in
            AlertProgram.Run(path: "/bin/sh", arguments: ["-c", command])
        }
        siren.patience = patience
        for notice in notices { siren.add(notice) }
        var reports: [String] = []
        let end = ContinuousClock.now + .seconds(60)
        while siren.isBusy, ContinuousClock.now < end {
            siren.turn { reports.append($0) }
            poll(nil, 0, 10)
        }
        return (reports, siren.isBusy)
    }

    @Test func `what a command leaves in the background holds up no other run`() {
        let (reports, isBusy) = outcome(
            of: "sleep 120 >/dev/null 2>&1 & echo $$ >/dev/null",
            for: [notice(.raised, "a"), notice(.closed, "a"), notice(.raised, "b")])

        #expect(!isBusy)
        #expect(reports == [])
    }

    @Test func `a command that takes too long ends with all that it has started`() {
        let (reports, isBusy) = outcome(
            of: "sleep 120 >/dev/null 2>&1; true", within: .zero,
            for: [notice(.raised, "a"), notice(.raised, "b")])

        #expect(!isBusy)
        #expect(
            reports == Array(repeating: "steward: siren took over 0 s and was ended", count: 2))
    }

    @Test func `a command that fails is reported, and the next one is run`() {
        let (reports, isBusy) = outcome(
            of: "exit 3", for: [notice(.raised, "a"), notice(.raised, "b")])

        #expect(!isBusy)
        #expect(reports == Array(repeating: "steward: siren ended with exit code 3", count: 2))
    }
}
