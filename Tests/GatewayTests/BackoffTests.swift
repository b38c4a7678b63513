import Testing

@testable import Gateway

@Suite struct BackoffTests {
    @Test func `each wait is twice as long, up to half a minute`() {
        var backoff = Backoff()

        let waits = (0..<9).map { _ in backoff.judge(exitCode: nil, after: .seconds(1)) }

        let milliseconds = [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        #expect(waits == milliseconds.map { .restart(after: .milliseconds($0)) })
    }

    @Test func `whoever ran for a minute begins anew`() {
        var backoff = Backoff()
        for _ in 0..<5 { _ = backoff.judge(exitCode: 70, after: .seconds(2)) }

        #expect(
            backoff.judge(exitCode: 70, after: .seconds(60))
                == .restart(after: .milliseconds(250)))
    }

    @Test(arguments: [78, 65] as [Int32])
    func `a service that can't start is given up after three tries`(_ code: Int32) {
        var backoff = Backoff()

        let verdicts = (0..<3).map { _ in backoff.judge(exitCode: code, after: .milliseconds(20)) }

        #expect(
            verdicts == [
                .restart(after: .milliseconds(250)), .restart(after: .milliseconds(500)), .giveUp,
            ])
    }

    @Test func `a fall in between shows that it can start`() {
        var backoff = Backoff()
        for code in [78, 78, nil, 78, 78] as [Int32?] {
            #expect(backoff.judge(exitCode: code, after: .seconds(1)) != .giveUp)
        }
    }

    @Test func `a line of a log is taken apart`() {
        let line = LogLine(
            #"level=critical service=notifier event=stopped error="can't read \"a b\"""#)

        #expect(line.event == "stopped")
        #expect(line.values["service"] == "notifier")
        #expect(line.values["error"] == #"can't read "a b""#)
        #expect(line.severity == 6)
    }

    @Test(arguments: ["", "plain words", "=", "a=", "a=\"", "a=\"\\", "==="])
    func `a line that is no log is never hidden`(_ text: String) {
        #expect(LogLine(text).severity == .max)
    }
}
