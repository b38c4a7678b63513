import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Someone sets the time of day while the processes run.
    @Suite(.serialized) struct Clocks {
        @Test(arguments: ["-3600", "3600"])
        func `a follower goes on when the clock is set`(shift: String) throws {
            let toys = try Toys()
            try start("toy-service", toys)
            try start("toy-follower", toys)
            try toys.deposit(1)
            try toys.expectFollowed()

            try setClock(shift, toys)
            try toys.deposit(2)
            try toys.expectFollowed(within: .seconds(10))
        }

        @Test func `heartbeats go on when the clock is set back`() throws {
            let toys = try Toys()
            try start("toy-service", toys)
            let events = try toys.system.connection().connect(
                .subscriber, to: .transitAlert, .events, subscribing: [Heartbeat.topic])
            try eventually("there is a heartbeat") { try events.receive() != nil }

            try setClock("-3600", toys)

            for _ in 0..<2 {
                try eventually("there is a heartbeat", within: .seconds(10)) {
                    guard let frames = try events.receive() else { return false }
                    let time = try Envelope(unpacking: frames[1].bytes).time
                    return time < WallClock.milliseconds() - 1_800_000
                }
            }
        }

        @discardableResult
        private func start(_ service: String, _ toys: Toys) throws -> Program {
            let program = try toys.system.launch(
                service,
                adding: [
                    "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                    "SHIFTED_CLOCK": toys.system.path("clock"),
                ])
            try program.waitUntilReady()
            return program
        }

        private func setClock(_ seconds: String, _ toys: Toys) throws {
            try Data(seconds.utf8).write(to: URL(filePath: toys.system.path("clock")))
        }
    }
}
