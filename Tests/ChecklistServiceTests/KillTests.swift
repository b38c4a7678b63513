import Bus
import Foundation
import Messages
import ShiftLog
import TestSupport
import Testing

extension Processes {
    @Suite struct KillTests {
        /// The number of kills: `KILLS` in the environment, otherwise 50.
        static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 50

        @Test(arguments: Seed.some(1))
        func `no acknowledged mark is lost or duplicated, whenever the service is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list(tasks: 40)).id
            let shift = try #require(try restaurant.start().shift)
            let device = Device("phone", in: shift.id)
            var acknowledged: [[UInt8]: UInt64] = [:]

            for _ in 0..<Self.kills {
                let sent = try restaurant.client.send(
                    device.record(
                        (0...seed.below(4)).map { _ in
                            device.make(
                                .mark(list, "t\(1 + seed.below(40))", seed.pick([.ok, .notOk])))
                        }),
                    deadline: .seconds(60))
                let moment = ContinuousClock.now + .microseconds(seed.below(4000))
                while ContinuousClock.now < moment {}
                try restaurant.restart()
                var answer: Client.Answer?
                try eventually("it is answered, \(seed)") {
                    answer = try restaurant.client.receive(within: .milliseconds(100))
                        .first { $0.id == sent }
                    return answer != nil
                }
                let reply = try #require(answer).result.get()
                for outcome in try OperationsRecorded(unpacking: reply.data).outcomes {
                    #expect(outcome.kind == .takenIn)
                    acknowledged[outcome.id] = outcome.operation?.sequence
                }
            }

            let kept = try restaurant.kept(shift.id).filter { $0.deviceSequence > 0 }
            #expect(kept.map(\.id) == device.made.map(\.id), "\(seed)")
            #expect(kept.map(\.deviceSequence) == (1...UInt64(device.made.count)).map { $0 })
            #expect(kept.map(\.sequence) == (2...UInt64(device.made.count + 1)).map { $0 })
            for operation in kept { #expect(acknowledged[operation.id] == operation.sequence) }
            #expect(try restaurant.audit(heads: [restaurant.head()]) == UInt64(kept.count + 1))
            #expect(try restaurant.told(shift.id).map(\.id) == kept.map(\.id))
        }
    }
}

extension Restaurant {
    /// Every operation of a shift, as the service returns it.
    func kept(_ shift: String) throws -> [ShiftOperation] {
        var operations: [ShiftOperation] = []
        while true {
            let page = try ask(
                ReadOperations(shift: shift, after: operations.last?.sequence ?? 0, limit: 100),
                for: OperationPage.self)
            operations += page.operations
            if operations.last?.sequence ?? 0 == page.head { return operations }
        }
    }

    /// The operations that devices made, from the service's events, in order.
    func told(_ shift: String) throws -> [ShiftOperation] {
        try system.published(by: .checklist).filter { $0.type == ShiftAdvanced.protobufName }
            .flatMap { try ShiftAdvanced(unpacking: $0.data).operations }
            .filter { $0.deviceSequence > 0 }
    }
}
