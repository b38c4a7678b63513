import Messages
import Testing

@testable import Gateway

@Suite struct AlertFeedPositionTests {
    private func notice(_ sequence: UInt64, alert: String? = nil) -> AlertNotice {
        AlertNotice(
            feedSequence: sequence, reason: .raised, alert: Alert(id: alert ?? "alert-\(sequence)"))
    }

    private func page(_ sequences: [UInt64], upTo head: UInt64) -> FeedPage {
        FeedPage(notices: sequences.map { notice($0) }, feedSequence: head)
    }

    @Test func `notices in order are delivered immediately`() {
        var position = AlertFeedPosition(openedAt: 3)

        #expect(position.receive(notice(4)) == .init(notices: [notice(4)]))
        #expect(position.receive(notice(5)) == .init(notices: [notice(5)]))
        #expect(position.sequence == 5)
    }

    @Test func `a feed may have the largest sequence that there is`() {
        var position = AlertFeedPosition(openedAt: .max - 2)

        #expect(position.receive(FeedBeat(feedSequence: .max)) == .init(missingAfter: .max - 2))
        #expect(position.receive(page([], upTo: .max)) == .init(lost: 2))
        #expect(position.receive(notice(.max)) == .init())
        #expect(position.sequence == .max)
    }

    @Test func `a notice that was seen before is dropped`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(notice(4))

        #expect(position.receive(notice(4)) == .init())
        #expect(position.receive(notice(2)) == .init())
    }

    @Test func `a gap is requested once, and early notices follow it`() {
        var position = AlertFeedPosition(openedAt: 3)

        #expect(position.receive(notice(6)) == .init(missingAfter: 3))
        #expect(position.receive(notice(7)) == .init())
        #expect(position.receive(FeedBeat(feedSequence: 7)) == .init())

        let outcome = position.receive(page([4, 5], upTo: 5))
        #expect(outcome == .init(notices: [4, 5, 6, 7].map { notice($0) }))
    }

    @Test func `the page and the topic may deliver the same notice`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(notice(5))

        let outcome = position.receive(page([4, 5], upTo: 5))

        #expect(outcome == .init(notices: [notice(4), notice(5)]))
    }

    @Test func `a beat reveals a gap after the last notice`() {
        var position = AlertFeedPosition(openedAt: 3)

        #expect(position.receive(FeedBeat(feedSequence: 3)) == .init())
        #expect(position.receive(FeedBeat(feedSequence: 4)) == .init(missingAfter: 3))
    }

    @Test func `a page that does not reach the end is followed by the next one`() {
        var position = AlertFeedPosition(openedAt: 0)
        _ = position.receive(FeedBeat(feedSequence: 4))

        #expect(
            position.receive(page([1, 2], upTo: 4))
                == .init(notices: [notice(1), notice(2)], missingAfter: 2))
        #expect(position.receive(page([3, 4], upTo: 4)) == .init(notices: [notice(3), notice(4)]))
    }

    @Test func `an unanswered question is asked again`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(FeedBeat(feedSequence: 5))

        position.forgetQuestion()

        #expect(position.receive(FeedBeat(feedSequence: 5)) == .init(missingAfter: 3))
    }

    @Test func `notices that are no longer kept count as lost`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(FeedBeat(feedSequence: 9))

        let outcome = position.receive(page([8, 9], upTo: 9))

        #expect(outcome == .init(notices: [notice(8), notice(9)], lost: 4))
    }

    @Test func `an empty page ends the wait`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(notice(6))

        #expect(position.receive(page([], upTo: 6)) == .init(notices: [notice(6)], lost: 2))
        #expect(position.sequence == 6)
    }

    @Test func `a feed whose numbers go back was replaced`() {
        var position = AlertFeedPosition(openedAt: 3)
        _ = position.receive(notice(4))

        #expect(position.receive(FeedBeat(feedSequence: 2)).mustReopen)
        #expect(position.receive(notice(4, alert: "another")).mustReopen)
    }

    @Test func `an overtaken answer isn't mistaken for a new history`() {
        var position = AlertFeedPosition(openedAt: 3)
        #expect(position.ask() == 3)
        _ = position.receive(notice(4))

        #expect(position.receive(page([], upTo: 3)) == .init())
    }

    @Test(arguments: 0..<100)
    func `whatever is lost, duplicated or late, each notice is delivered once, in order`(
        _ seed: UInt64
    ) {
        var random = Shuffle(state: seed &+ 1)
        var position = AlertFeedPosition(openedAt: 0)
        var told: [UInt64] = []
        var head: UInt64 = 0
        var question: UInt64?
        /// The notifier's answer: what follows a position, up to seven notices.
        func answer(_ after: UInt64) -> FeedPage {
            page(Array((after + 1..<head + 1).prefix(7)), upTo: head)
        }

        for turn in 0..<300 {
            var outcome = AlertFeedPosition.Outcome()
            switch random.next() % 5 {
            case 0 where turn < 250, 1 where turn < 250:
                head += 1
                // A third of the notices is lost.
                if random.next() % 3 > 0 { outcome = position.receive(notice(head)) }
            case 2 where head > 0:
                outcome = position.receive(notice(random.next() % head + 1))
            case 3: outcome = position.receive(FeedBeat(feedSequence: head))
            default:
                guard let after = question else { continue }
                question = nil
                outcome = position.receive(answer(after))
            }
            #expect(!outcome.mustReopen)
            told += outcome.notices.map(\.feedSequence)
            question = outcome.missingAfter ?? question
        }

        // Once nothing is lost any more, everything comes.
        for _ in 0..<300 where position.sequence < head {
            let outcome =
                if let after = question { position.receive(answer(after)) } else {
                    position.receive(FeedBeat(feedSequence: head))
                }
            #expect(!outcome.mustReopen)
            told += outcome.notices.map(\.feedSequence)
            question = outcome.missingAfter
        }

        #expect(head > 0 && told == Array(1..<head + 1))
    }
}

/// SplitMix64: a small generator whose sequence is determined by its seed.
private struct Shuffle {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
