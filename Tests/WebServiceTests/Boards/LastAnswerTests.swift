import Testing

@testable import WebService

/// Tests when pages say that a service doesn't answer.
@Suite struct LastAnswerTests {
    private let moment = ContinuousClock.now
    private let time: Int64 = 1_800_000_000_000

    @Test func `an answer is old after twelve seconds`() {
        let answer = LastAnswer(at: moment, time: time)
        #expect(answer.old(at: moment + .milliseconds(11_999), time: time + 11_999) == nil)
        #expect(answer.old(at: moment + .seconds(12), time: time + 12_000) == time)
    }

    @Test func `an answer is old as soon although the clock was set`() {
        let answer = LastAnswer(at: moment, time: time)
        let hour: Int64 = 3_600_000
        #expect(answer.old(at: moment + .seconds(11), time: time + hour) == nil)
        #expect(answer.old(at: moment + .seconds(12), time: time + hour) == time)
        #expect(answer.old(at: moment + .seconds(11), time: time - hour) == nil)
        #expect(
            answer.old(at: moment + .seconds(12), time: time + 12_000 - hour) == time - hour)
    }
}
