import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Alerts that no one answers, under a clock that the test sets.
@Suite(.serialized, .waiting) struct LoudnessTests {
    @Test func `a subscriber to urgent alerts gets an alert once it becomes urgent`() throws {
        let office = try PostOffice(hasServer: false)
        let subscriber = try office.system.connection().connect(
            .subscriber, to: .notifier, .alerts,
            subscribing: ["alert.local.ann.urgent.", "alert.local.ann.beat."])
        try office.raise(
            AlertRaised(
                key: "k", severity: .info, title: "The door is open", recipient: "ann",
                needsAcknowledgement: true, repeatEvery: 60_000))
        try eventually("it is published") { try notices(office).count == 1 }

        for repetition in 1...7 {
            // The severity survives a kill.
            if repetition == 4 {
                office.killNotifier()
                try office.startNotifier()
                _ = try heard(subscriber)
                try eventually("the subscriber is back") { try heard(subscriber).beats > 0 }
            }
            try office.setClock(61 * repetition)
            try eventually("it is repeated") { try notices(office).count == repetition + 1 }
        }

        let told = try notices(office)
        #expect(told.map(\.feedSequence) == Array(1...8))
        #expect(
            told.map { $0.alert?.severity ?? .unspecified }
                == [.info, .info, .info, .warning, .warning, .warning, .urgent, .urgent])
        #expect(told.allSatisfy { $0.alert?.raised?.severity == .info })
        var positions: [UInt64] = []
        try eventually("the urgent ones came") {
            positions += try heard(subscriber).positions
            return positions.count >= 2
        }
        #expect(positions == [7, 8])
    }

    @Test func `an answered alert gets no louder`() throws {
        let office = try PostOffice(hasServer: false)
        try office.raise(
            AlertRaised(
                key: "k", severity: .info, title: "The door is open", recipient: "ann",
                needsAcknowledgement: true, repeatEvery: 60_000))
        try eventually("it is published") { try notices(office).count == 1 }
        let id = try #require(try notices(office).first?.alert?.id)
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)

        try office.setClock(3600)
        try office.raise(
            AlertRaised(key: "other", severity: .info, title: "Another", recipient: "ann"))
        try eventually("the other is published") { try notices(office).count == 3 }

        #expect(
            try notices(office).map { $0.alert?.severity ?? .unspecified }
                == [.info, .info, .info])
    }

    @Test(arguments: [false, true])
    func `what changes more often than it is repeated is repeated in time, and later if louder`(
        isCall: Bool
    ) throws {
        let office = try PostOffice(hasServer: false)
        let begin = WallClock.milliseconds()
        var raised = AlertRaised(
            key: "k", severity: .info, title: "It comes in 10 minutes",
            recipient: isCall ? "" : "ann", needsAcknowledgement: true, repeatEvery: 600_000)
        if isCall { raised.audience = Audience(account: "ann") }
        try office.raise(raised)
        try eventually("it is published") { try notices(office).count == 1 }

        for (index, minute) in [4, 8].enumerated() {
            try office.setClock(60 * minute)
            raised.title = "It comes in \(10 - minute) minutes"
            try office.raise(raised)
            try eventually("the change is published") { try notices(office).count == index + 2 }
        }
        try office.setClock(601)
        try eventually("it is repeated") {
            try notices(office).map(\.reason) == [.raised, .changed, .changed, .repeated]
        }

        try office.setClock(901)
        raised.severity = .warning
        try office.raise(raised)
        try eventually("the change is published") { try notices(office).count == 5 }
        let due = try office.system.reading(.notifier) { db in
            try Int64.fetchAll(db, sql: "SELECT due FROM timer WHERE kind LIKE 'repeat%'")
        }
        #expect(due.count == 1)
        #expect(due.allSatisfy { $0 >= begin + 1_501_000 })
    }

    /// What a subscriber has received: the positions of notices, and the number of heartbeats.
    private func heard(_ subscriber: Socket) throws -> (positions: [UInt64], beats: Int) {
        var (positions, beats): ([UInt64], Int) = ([], 0)
        while let frames = try subscriber.receive() {
            let envelope = try Envelope(unpacking: frames[1].bytes)
            if envelope.type == AlertNotice.protobufName {
                positions.append(try AlertNotice(unpacking: envelope.data).feedSequence)
            } else {
                beats += 1
            }
        }
        return (positions, beats)
    }

    /// The feed in the notifier's store.
    private func notices(_ office: PostOffice) throws -> [AlertNotice] {
        try office.system.reading(.notifier) { db in
            try Data.fetchAll(db, sql: "SELECT notice FROM notice ORDER BY sequence")
                .map { try AlertNotice(unpacking: [UInt8]($0)) }
        }
    }
}
