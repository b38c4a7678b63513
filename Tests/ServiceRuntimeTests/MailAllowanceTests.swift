import Messages
import Testing

@testable import ServiceRuntime

/// How many mails an account may request.
@Suite struct `The allowance of mails` {
    private static let now: Int64 = 1_795_000_000_000
    private static let fresh = Allowance(limit: AllowanceTable.mails.limit, full: 0)

    private func refusal(
        of count: Int, from allowance: inout Allowance, at now: Int64 = now
    ) -> Refusal? {
        do throws(Refusal) {
            try allowance.useMails(count, at: now)
            return nil
        } catch { return error }
    }

    @Test func `allows 500 at once, and no more until some time has passed`() {
        var allowance = Self.fresh

        #expect(refusal(of: 300, from: &allowance) == nil)
        #expect(refusal(of: 200, from: &allowance) == nil)
        let kept = allowance
        let refused = refusal(of: 1, from: &allowance)

        #expect(refused?.isBecause(.mailLimit) == true)
        #expect(refused?.arguments == ["minutes": "1"])
        #expect(allowance == kept)
        #expect(refusal(of: 1, from: &allowance, at: Self.now + 7_199) != nil)
        #expect(refusal(of: 1, from: &allowance, at: Self.now + 7_200) == nil)
    }

    @Test func `is whole again after an hour`() {
        var allowance = Self.fresh
        #expect(refusal(of: 500, from: &allowance) == nil)

        #expect(refusal(of: 500, from: &allowance, at: Self.now + 3_599_999) != nil)
        #expect(refusal(of: 500, from: &allowance, at: Self.now + 3_600_000) == nil)
    }

    @Test(arguments: [501, 380_000, Int.max])
    func `is never enough for too many at once`(count: Int) {
        var allowance = Self.fresh

        #expect(refusal(of: count, from: &allowance)?.code == .invalid)
        #expect(allowance == Self.fresh)
    }

    @Test(arguments: [Self.now + 3_600_001, Int64.max])
    func `is whole when the clock was set back by more than an hour`(full: Int64) {
        var allowance = Allowance(limit: AllowanceTable.mails.limit, full: full)
        #expect(refusal(of: 500, from: &allowance) == nil)
    }
}
