import Messages
import Testing

@testable import ServiceRuntime

@Suite struct SlowQueueTests {
    private static let ann = SlowQueue.Asker(name: "ann", isAccount: true)
    private static let bob = SlowQueue.Asker(name: "bob", isAccount: true)
    private static let owner = SlowQueue.Asker(name: "", isAccount: false)

    private var ids = MessageID.Generator()

    private mutating func add(
        _ count: Int, of asker: SlowQueue.Asker, to queue: inout SlowQueue
    ) -> [MessageID] {
        (0..<count).map { _ in
            let id = ids.next(at: 1000)
            queue.add(id, of: asker)
            return id
        }
    }

    @Test mutating func `a sender of one command waits for one of each other sender, not for all`()
    {
        var queue = SlowQueue()
        let many = add(10, of: Self.ann, to: &queue)
        let first = queue.next()
        let one = add(1, of: Self.bob, to: &queue)

        #expect(first == many[0])
        #expect(queue.next() == one[0])
        queue.finish(many[0])
        #expect(queue.next() == many[1])
    }

    @Test
    mutating func `an account has one worker, and senders that can't be distinguished share all`() {
        var queue = SlowQueue()
        let many = add(3, of: Self.ann, to: &queue)
        #expect(queue.next() == many[0])
        #expect(queue.next() == nil)
        queue.finish(many[0])
        #expect(queue.next() == many[1])

        var local = SlowQueue()
        let commands = add(2, of: Self.owner, to: &local)
        #expect([local.next(), local.next()] == commands)
    }

    @Test mutating func `senders that always have more take turns, and nobody is left out`() throws
    {
        var queue = SlowQueue()
        var done: [String: Int] = [:]
        var names: [MessageID: SlowQueue.Asker] = [:]
        let askers = [Self.ann, Self.bob, SlowQueue.Asker(name: "eve", isAccount: true)]
        for asker in askers { for id in add(5, of: asker, to: &queue) { names[id] = asker } }
        for _ in 0..<30 {
            let next = queue.next()
            let id = try #require(next)
            let asker = try #require(names[id])
            done[asker.name, default: 0] += 1
            queue.finish(id)
            for id in add(1, of: asker, to: &queue) { names[id] = asker }
        }

        #expect(done == ["ann": 10, "bob": 10, "eve": 10])
    }

    @Test mutating func `an account's share of the queue is bounded, and so is the whole queue`() {
        var queue = SlowQueue()
        _ = add(SlowQueue.mostOfAccount, of: Self.ann, to: &queue)

        #expect(queue.isFull(for: Self.ann))
        #expect(!queue.isFull(for: Self.bob))
        _ = add(SlowQueue.most - SlowQueue.mostOfAccount, of: Self.owner, to: &queue)
        #expect(queue.isFull(for: Self.bob) && queue.isFull(for: Self.owner))
    }

    @Test mutating func `senders without an account leave places for those who have one`() {
        var queue = SlowQueue()
        let strangers = ["anonymous at kiosk", "anonymous at laptop"].map {
            SlowQueue.Asker(name: $0, isAccount: false)
        }
        _ = add(SlowQueue.mostOfStrangers, of: strangers[0], to: &queue)
        #expect(queue.isFull(for: strangers[0]))
        #expect(!queue.isFull(for: strangers[1]) && !queue.isFull(for: Self.owner))

        _ = add(SlowQueue.mostOfOthers - SlowQueue.mostOfStrangers, of: strangers[1], to: &queue)
        #expect(queue.isFull(for: strangers[1]) && queue.isFull(for: Self.owner))
        #expect(!queue.isFull(for: Self.ann))
    }
}
