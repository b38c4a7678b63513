import Testing

@testable import Gateway

@Suite struct BackoffTests {
    private func fault(_ code: Int32? = 70, isReady: Bool = false, after seconds: Int = 1)
        -> Backoff.Ending
    {
        .init(exitCode: code, wasReady: isReady, time: .seconds(seconds))
    }

    private func waits(_ milliseconds: Int...) -> [Backoff.Verdict] {
        milliseconds.map { .restart(after: .milliseconds($0)) }
    }

    @Test func `a service that was never ready waits twice as long each time, up to 30 s`() {
        var backoff = Backoff()

        let verdicts = (0..<9).map { _ in backoff.judge(fault()) }

        #expect(verdicts == waits(250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000))
    }

    @Test(arguments: [1, 2, 9, 15] as [Int32], [true, false])
    func `a service that somebody kills is restarted immediately, however often`(
        signal: Int32, isReady: Bool
    ) {
        var backoff = Backoff()

        let verdicts = (0..<20).map { _ in
            backoff.judge(.init(signal: signal, wasReady: isReady, time: .milliseconds(300)))
        }

        #expect(verdicts == Array(repeating: .restart(after: .milliseconds(250)), count: 20))
    }

    @Test func `a service that was ready and crashes repeatedly waits at most 5 s`() {
        var backoff = Backoff()

        let falls = (0..<7).map { _ in backoff.judge(fault(isReady: true)) }
        let starts = (0..<3).map { _ in backoff.judge(fault()) }
        let trap = backoff.judge(.init(signal: 5, wasReady: true, time: .seconds(1)))

        #expect(falls == waits(250, 500, 1000, 2000, 4000, 5000, 5000))
        #expect(starts == waits(5000, 5000, 5000))
        #expect([trap] == waits(5000))
    }

    @Test func `a service that has been ready once waits at most 5 s, even after long waits`() {
        var backoff = Backoff()
        for _ in 0..<9 { _ = backoff.judge(fault()) }

        #expect([backoff.judge(fault(isReady: true))] == waits(5000))
    }

    @Test func `after being ready for ten seconds, a service starts over with short waits`() {
        var backoff = Backoff()
        for _ in 0..<5 { _ = backoff.judge(fault()) }

        let verdicts = [
            backoff.judge(fault(isReady: true, after: 10)), backoff.judge(fault(after: 60)),
            backoff.judge(fault()),
        ]

        #expect(verdicts == waits(250, 250, 500))
    }

    @Test(arguments: [78, 65] as [Int32])
    func `a service that can't start is given up after three attempts`(_ code: Int32) {
        var backoff = Backoff()

        let verdicts = (0..<3).map { _ in backoff.judge(fault(code)) }

        #expect(verdicts == waits(250, 500) + [.giveUp])
    }

    @Test func `a crash in between shows that the service can start`() {
        var backoff = Backoff()
        for code in [78, 78, nil, 78, 78] as [Int32?] {
            #expect(backoff.judge(fault(code)) != .giveUp)
        }
    }

    @Test func `a log line is split into its fields`() {
        let line = LogLine(
            #"level=critical service=notifier event=stopped error="can't read \"a b\"""#)

        #expect(line.event == "stopped")
        #expect(line.values["service"] == "notifier")
        #expect(line.values["error"] == #"can't read "a b""#)
        #expect(line.severity == 6)
    }

    @Test(arguments: ["", "plain words", "=", "a=", "a=\"", "a=\"\\", "==="])
    func `a line that isn't a log line is never hidden`(_ text: String) {
        #expect(LogLine(text).severity == .max)
    }
}
