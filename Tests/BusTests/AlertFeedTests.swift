import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Who receives which alerts, enforced on the socket.
@Suite(.serialized, .waiting) struct AlertFeedTests {
    @Test func `over TCP only the topic that the notifier gave out delivers alerts`() throws {
        let stage = try Stage()
        let topic = try stage.topic()
        let curious = try stage.listen([
            "", "alert.", "alert.local.", "alert.local.\(Stage.owner).",
            "alert.local.\(Stage.owner)." + String(repeating: "0", count: 32) + ".",
            String(topic.dropLast()), String(topic.dropLast(2)), topic + "x",
        ])

        let told = try stage.listen([topic])

        let secret = topic.dropFirst("alert.local.\(Stage.owner).".count)
        #expect(secret.wholeMatch(of: /[0-9a-f]{32}\./) != nil)
        for _ in 0..<3 {
            #expect(try told.nextTopic()?.hasPrefix(topic) == true)
        }
        #expect(try curious.receive() == nil)
    }

    @Test func `a subscription may be to one severity of a feed`() throws {
        let stage = try Stage()
        let topic = try stage.topic()

        let socket = try stage.listen([topic + "urgent."])

        #expect(try socket.nextTopic() == topic + "urgent.")
        #expect(try socket.nextTopic() == topic + "urgent.")
    }

    @Test func `once a subscription has ended, nothing more arrives through it`() throws {
        let stage = try Stage()
        let topic = try stage.topic()
        let (ended, other) = (try stage.listen([topic]), try stage.listen([topic]))
        _ = try #require(try ended.nextTopic())

        try ended.unsubscribe(topic)

        for socket in [ended, other] {
            while try socket.receive() != nil {}
        }
        for _ in 0..<3 { _ = try #require(try other.nextTopic()) }
        #expect(try ended.receive() == nil)
    }

    @Test func `the topic is the same after a restart`() throws {
        let stage = try Stage()
        let topic = try stage.topic()
        stage.service.kill()
        let service = try stage.system.start("notifier", bus: stage.bus)

        let told = try stage.listen([topic])

        #expect(try told.nextTopic()?.hasPrefix(topic) == true)
        withExtendedLifetime(service) {}
    }

    @Test func `in the owner's directory every alert topic is granted without a secret`()
        throws
    {
        let stage = try Stage(bus: "run")
        let connection = try stage.system.connection()

        let socket = try connection.connect(
            .subscriber, to: .notifier, .alerts, subscribing: ["alert."])

        let topic = try #require(try socket.nextTopic())
        #expect(
            topic.wholeMatch(of: /alert\.local\.[^.]+\.(urgent|beat)\./) != nil, "it is \(topic)")
    }

    @Test func `useless subscriptions cost the notifier little, and other subscribers nothing`()
        throws
    {
        let stage = try Stage()
        let topic = try stage.topic()
        let told = try stage.listen([topic])
        _ = try #require(try told.nextTopic())
        // The memory of a burst is not freed at once, so only the second burst counts.
        try subscribeInVain(0..<200_000, to: stage)
        while try told.receive() != nil {}
        #expect(try told.nextTopic()?.hasPrefix(topic) == true)
        let before = try stage.service.residentMemory()

        try subscribeInVain(200_000..<400_000, to: stage)

        while try told.receive() != nil {}
        #expect(try told.nextTopic()?.hasPrefix(topic) == true)
        let growth = try stage.service.residentMemory() - before
        print("200,000 topics in vain: \(growth >> 20) MiB more")
        // If ZeroMQ kept them, they would take 160 MiB.
        #expect(growth < 80 << 20)
        try eventually("it is logged") { stage.service.err.contains("subscriptions refused") }
    }

    /// Subscribes to topics that nobody has, over as many connections as necessary.
    private func subscribeInVain(_ numbers: Range<Int>, to stage: Stage) throws {
        var sent = numbers.lowerBound
        while sent < numbers.upperBound {
            guard let peer = try? RawPeer(port: stage.port + ServiceName.notifier.alertsPort) else {
                continue
            }
            peer.shakeHands(as: "SUB")
            while sent < numbers.upperBound {
                let topics = (sent..<sent + 1000).flatMap {
                    RawPeer.frame([1] + Array("alert.local.\($0 &* 7919).\($0).".utf8))
                }
                guard peer.send(topics) else { break }
                sent += 1000
            }
        }
    }

    @Test func `a peer that sends what no subscriber sends is disconnected, as are all others`()
        throws
    {
        let stage = try Stage()
        let topic = try stage.topic()
        let told = try stage.listen([topic])
        _ = try #require(try told.nextTopic())

        let peer = try RawPeer(port: stage.port + ServiceName.notifier.alertsPort)
        peer.shakeHands(as: "XSUB")
        peer.send(RawPeer.frame(Array("hello".utf8)) + RawPeer.frame([1] + Array("alert.".utf8)))

        try eventually("the service cuts its peers off") {
            stage.service.err.contains("peers cut off")
        }
        while try told.receive() != nil {}
        #expect(try told.nextTopic()?.hasPrefix(topic) == true)
    }

    @Test func `a granting publisher reports subscriptions and sends only to granted ones`() throws
    {
        let system = try System()
        try system.makeFolder("run")
        let connection = try system.connection()
        let publisher = try connection.bind(.grantingPublisher, as: .notifier, .alerts)
        var subscriber: Socket? = try connection.connect(
            .subscriber, to: .notifier, .alerts, subscribing: ["a", "b"])
        var wishes: [Wish] = []
        try eventually("two requests arrive") {
            while let wish = try publisher.nextWish() {
                wishes.append(wish)
                if wish == .subscribe([UInt8(ascii: "a")]) { try publisher.grant([0x61]) }
            }
            return wishes.count == 2
        }

        try publisher.send([Array("b1".utf8), []])
        try publisher.send([Array("a1".utf8), []])

        #expect(try subscriber?.nextTopic() == "a1")
        #expect(try subscriber?.receive() == nil)
        subscriber = nil
        try eventually("its subscription ends with the subscriber") {
            while let wish = try publisher.nextWish() { wishes.append(wish) }
            return wishes.contains(.unsubscribe([0x61]))
        }
    }
}
