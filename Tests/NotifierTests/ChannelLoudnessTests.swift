import Foundation
import Messages
import TestSupport
import Testing

@testable import Notifier

/// What a phone rings for when a service changes an alert that is open.
extension ChannelTests {
    @Test func `a phone rings when a service makes an alert louder, and for no other change`()
        throws
    {
        try add("phone", .ntfy, "/alerts", from: .warning)
        try raise("a", .info, title: "One")
        try raise("a", .warning, title: "Two")
        try wait(for: 1)
        try raise("a", .warning, title: "Three")
        try raise("a", .urgent, title: "Four")
        try wait(for: 2)
        try raise("a", .urgent, title: "Five")
        try raise("b", .urgent, title: "Six")
        try wait(for: 3)

        let bodies = try server.requests().map(\.body)
        #expect(bodies[0].contains("Two") && bodies[1].contains("Four"))
        #expect(bodies[2].contains("Six"))
    }

    @Test func `what waits for a phone is delivered as it is by then, in its old place`() throws {
        try add("phone", .ntfy, "/alerts")
        try server.behave("503")
        for key in ["a", "b"] { try raise(key, .warning, title: "Early") }
        try wait(for: 1)
        try eventually("the first has failed, and the second waits") {
            let states = try deliveries().map(\.state)
            return try states == [.waiting, .waiting] && !deliveries()[0].note.isEmpty
        }
        let place = try deliveries()[1].due
        try raise("b", .warning, title: "Late")
        try eventually("the change waits") { try deliveries().count == 3 }
        #expect(try deliveries()[2].due == place)

        try server.behave("200")
        try office.setClock(60)
        try wait(for: 3)

        let bodies = try server.requests().suffix(2).map(\.body)
        #expect(bodies.contains { $0.contains("Late") })
        #expect(bodies.count { $0.contains("Early") } == 1)
    }

    @Test func `a backup phone rings for an alert that changed before the other channel gave up`()
        throws
    {
        try add("main", .webhook, "/broken")
        try add("phone", .ntfy, "/alerts", spare: true)
        try raise("a", .warning, title: "One")
        try eventually("the first attempt has failed") { try hasFailed(times: 1) }
        try raise("a", .warning, title: "Two")
        try eventually("the change waits") { try deliveries().count == 2 }

        for (times, seconds) in [(UInt32(1), 60), (2, 200)] {
            try office.setClock(seconds)
            try eventually("another attempt has failed") {
                try hasFailed(times: times)
            }
        }
        try eventually("the phone rings") {
            try server.requests().contains { $0.path == "/" && $0.body.contains("Two") }
        }
    }

    /// True if the newest delivery by the channel `main` waits after that many attempts.
    private func hasFailed(times: UInt32) throws -> Bool {
        let newest = try deliveries().last { $0.channel == "main" }
        return newest.map { $0.state == .waiting && $0.attempts == times } ?? false
    }
}
