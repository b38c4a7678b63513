import Messages
import Testing

@testable import ServiceRuntime

/// The refusals that are given again to copies of their messages.
@Suite struct PassingShelfTests {
    private static let now: Int64 = 1_795_000_000_000
    private static let refusal: [UInt8] = [1, 2, 3]

    private var shelf = PassingShelf()
    private let id: MessageID

    init() {
        var ids = MessageID.Generator()
        id = ids.next(at: Self.now)
    }

    private func message(
        deadline: Int64 = 1000, token: [UInt8] = [7], data: [UInt8] = [8], peer: [UInt8] = [9]
    ) -> Message {
        let envelope = Envelope(
            id: id.bytes, type: "toy.Deposit", time: Self.now, token: token, deadline: deadline,
            data: data)
        return Message(peer: peer, envelope: envelope, id: id, sender: nil)
    }

    @Test mutating func `copies get it for half a minute, even on another connection`() {
        shelf.keep(Self.refusal, to: message(), at: Self.now)

        let copy = message(peer: [10])
        for later: Int64 in [0, 29_999, -29_999] {
            #expect(shelf.reply(to: copy, at: Self.now + later) == Self.refusal)
        }
        for later: Int64 in [30_000, -30_000] {
            #expect(shelf.reply(to: copy, at: Self.now + later) == nil)
        }
    }

    @Test mutating func `another attempt is decided, and its refusal replaces that of the first`() {
        shelf.keep(Self.refusal, to: message(), at: Self.now)
        let renewed = [message(deadline: 1001), message(token: [70]), message(data: [80])]
        for attempt in renewed { #expect(shelf.reply(to: attempt, at: Self.now) == nil) }

        shelf.keep([4], to: renewed[0], at: Self.now)
        #expect(shelf.reply(to: message(), at: Self.now) == nil)
        #expect(shelf.reply(to: renewed[0], at: Self.now) == [4])

        shelf.remove(id)
        #expect(shelf.reply(to: renewed[0], at: Self.now) == nil)
    }

    @Test mutating func `a flood leaves the newest, and no more than fits`() {
        var ids = MessageID.Generator()
        let flood = (0..<3 * PassingShelf.most).map { _ in
            let id = ids.next(at: Self.now)
            return Message(peer: [], envelope: Envelope(id: id.bytes), id: id, sender: nil)
        }
        for size in [100, 8000] {
            let refusal = [UInt8](repeating: 1, count: size)
            for message in flood { shelf.keep(refusal, to: message, at: Self.now) }

            let kept = flood.filter { shelf.reply(to: $0, at: Self.now) != nil }
            let most = min(PassingShelf.most, PassingShelf.mostBytes / size)
            #expect(kept.map(\.id) == flood.suffix(most).map(\.id))
        }
    }
}
