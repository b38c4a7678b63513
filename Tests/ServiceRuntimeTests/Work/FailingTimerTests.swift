import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// A timer whose handler fails each time.
    @Suite(.serialized) struct TimerFailures {
        private let toys: Toys

        init() throws {
            toys = try Toys()
            try toys.setClock("0")
        }

        @Test func `a timer that fails again and again is reported until it succeeds`() throws {
            try toys.startShifted("toy-service")
            _ = try toys.answer(to: Wake(name: "broken", due: WallClock.milliseconds()))
            try failAgain(at: 0, 40)
            let early = try told()
            if try failures() < 3 { #expect(early == []) }

            try failAgain(at: 100, 140, 180)
            #expect(try told() == ["wake 1"])
            try toys.setClock("90000")
            try eventually("it is reported the next day") {
                try told() == ["wake 1", "wake 1"]
            }

            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            try toys.setClock("100000")
            try eventually("it has fired") {
                try toys.system.query(.transitAlert, "SELECT name FROM woken") == [["broken"]]
            }
            #expect(try told() == ["wake 1", "wake 1", " 0"])
        }

        @Test func `a timer that failed and was cancelled is no longer reported`() throws {
            let service = try toys.startShifted("toy-service")
            _ = try toys.answer(to: Wake(name: "broken", due: WallClock.milliseconds()))
            try failAgain(at: 0, 40, 80)
            service.kill()
            try toys.system.edit(.transitAlert, "DELETE FROM timer")

            try toys.startShifted("toy-service")

            try eventually("that is reported") { try told() == ["wake 1", " 0"] }
        }

        @Test func `the administrator is alerted while a timer fails, and again each day`() throws {
            try toys.startShifted("notifier")
            try toys.startShifted("toy-service")
            _ = try toys.answer(to: Wake(name: "broken", due: WallClock.milliseconds()))
            try failAgain(at: 0, 40, 80)
            let notifier = try toys.system.client(of: .notifier)
            func alerts() throws -> [Alert] {
                notifier.clock = toys.client.clock
                return try notifier.ask(
                    ListAlerts(), for: Alerts.self, deadline: .seconds(60)
                ).alerts
            }
            try eventually("it is told") { try alerts().map(\.state) == [.open] }
            let alert = try #require(try alerts().first)
            #expect(
                alert.raised?.title
                    == "transit-alert-service can’t do 1 thing that is due, and goes on trying")
            #expect(alert.raised?.body.hasPrefix("wake: ") == true)
            _ = try notifier.ask(AcknowledgeAlert(id: alert.id), for: AlertAcknowledged.self)

            try failAgain(at: 90_000)
            try eventually("it is told again") {
                try Set(alerts().map(\.state)) == [.open, .acknowledged]
            }
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
            try toys.setClock("90100")
            try eventually("it is withdrawn") {
                try Set(alerts().map(\.state)) == [.withdrawn, .acknowledged]
            }
        }

        /// Sets the clock forward, and waits each time until the timer has failed.
        private func failAgain(at clocks: Int...) throws {
            for clock in clocks {
                let before = try failures()
                try toys.setClock("\(clock)")
                try eventually("it has failed") { try failures() > before }
            }
        }

        private func failures() throws -> Int {
            let rows = try toys.system.query(.transitAlert, "SELECT failures FROM failingTimer")
            return rows.first.flatMap { Int($0[0]) } ?? 0
        }

        /// What was published about timers.
        private func told() throws -> [String] {
            try toys.system.published(by: .transitAlert)
                .filter { $0.type == SetAside.protobufName }
                .compactMap {
                    let event = try SetAside(unpacking: $0.data)
                    return event.kind == .timer ? "\(event.type) \(event.count)" : nil
                }
        }
    }
}
