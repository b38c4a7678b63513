import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Work that makes a process fail each time it is tried.
    @Suite(.serialized) struct Crashes {
        private let toys: Toys

        init() throws { toys = try Toys() }

        @Test func `a timer that crashes the process is put aside after three crashes`() throws {
            let first = try toys.startService()
            // It is due after the turn that sets it, so that the command is answered. The service
            // and the client know each other before.
            _ = try toys.balance()
            let due = WallClock.milliseconds() + 10_000
            _ = try toys.answer(to: Wake(name: "deadly", due: due))
            _ = try first.waitForEnd()

            let desk = toys.client
            let (service, deaths) = try startUntilItStays("toy-service") {
                try !toys.system.query(.transitAlert, "SELECT * FROM deadLetter").isEmpty
            }

            #expect(deaths == 2)
            try toys.deposit(1)
            let letter = try #require(try letters(desk).first)
            #expect(letter.producer == "transit-alert-service")
            #expect(letter.type == "wake")
            #expect(letter.reason.contains("failed 3 times"))
            #expect(try aside() == ["letter wake 1"])
            try mend()
            _ = try desk.ask(RetryDeadLetter(id: letter.id), for: DeadLetterRetried.self)
            #expect(try aside() == ["letter wake 1", "letter  0"])
            try eventually("the timer has fired") {
                try toys.system.query(.transitAlert, "SELECT name FROM woken") == [["deadly"]]
            }
            #expect(try letters(desk) == [])
            #expect(service.isRunning)
        }

        @Test func `an event that crashes its follower is put aside after three crashes`() throws {
            try toys.startService()
            try toys.deposit(1)
            _ = try toys.answer(to: Muddle(account: "deadly"))
            try toys.deposit(2)

            let (follower, deaths) = try startUntilItStays("toy-follower") {
                try toys.seen().count == 2
            }

            #expect(deaths == 3)
            let all = try toys.published()
            #expect(try toys.seen() == [all[0], all[2]])
            let desk = try toys.system.client(of: .notifier)
            let letter = try #require(try letters(desk).first)
            #expect(letter.sequence == 2)
            #expect(letter.reason.contains("failed 3 times"))
            try mend()
            _ = try desk.ask(RetryDeadLetter(id: letter.id), for: DeadLetterRetried.self)
            #expect(try toys.seen() == [all[0], all[2], all[1]])
            #expect(follower.isRunning)
        }

        @Test func `a dead letter that crashes the process again does so once per retry`() throws {
            try toys.startService()
            _ = try toys.answer(to: Muddle(account: "deadly"))
            let (follower, _) = try startUntilItStays("toy-follower") {
                try !toys.system.query(.notifier, "SELECT * FROM deadLetter").isEmpty
            }
            let desk = try toys.system.client(of: .notifier)
            let letter = try #require(try letters(desk).first)

            try desk.send(RetryDeadLetter(id: letter.id), deadline: .seconds(300))
            _ = try follower.waitForEnd()
            let next = try toys.startFollower()
            var answer: Envelope?
            try eventually("it is answered") {
                answer = try desk.receive(within: .seconds(1)).first?.result.get()
                return answer != nil
            }

            let refusal = try Refusal(unpacking: answer?.data ?? [])
            #expect(refusal.message == "the process failed while it applied the event")
            #expect(try letters(desk) == [letter])
            #expect(next.isRunning)
        }

        @Test func `a job that crashes the process is put aside after three crashes`() throws {
            let first = try toys.startService()
            // It is deadly only after the command is answered.
            let barrier = try toys.barrier("working")
            let work = Work(account: "deadly", steps: 1, pause: 1)
            let id = try toys.client.ask(work, for: JobAccepted.self).jobId
            try FileManager.default.removeItem(at: barrier)
            _ = try first.waitForEnd()

            let failed = "SELECT message FROM job WHERE state = \(Job.State.failed.rawValue)"
            let (service, deaths) = try startUntilItStays("toy-service") {
                try !toys.system.query(.transitAlert, failed).isEmpty
            }

            #expect(deaths == 2)
            let job = try toys.client.ask(ReadJob(jobId: id), for: Job.self)
            #expect(job.message.contains("failed 3 times"))
            try eventually("it is told") { try aside() == ["job toy.Work 1"] }
            try mend()
            _ = try toys.client.ask(RetryJob(jobId: id), for: Job.self)
            try eventually("the job has succeeded") {
                try toys.client.ask(ReadJob(jobId: id), for: Job.self).state == .succeeded
            }
            #expect(try toys.entries() == [["deadly", "1"]])
            #expect(try toys.refusal(of: RetryJob(jobId: id)).code == .conflict)
            #expect(service.isRunning)
        }

        @Test func `an errand that crashes the process is given up after three crashes`() throws {
            let first = try toys.startService()
            try toys.client.send(Entrust(account: "deadly"), deadline: .seconds(300))
            try waitForEnd(of: first)

            let (service, deaths) = try startUntilItStays("toy-service") {
                try !toys.entries().isEmpty
            }

            #expect(deaths == 2)
            #expect(try toys.entries() == [["given up", "1"]])
            let notes = try toys.system.query(.transitAlert, "SELECT CAST(note AS TEXT) FROM entry")
            #expect(notes[0][0].contains("failed 3 times"))
            #expect(try aside().map { $0.hasPrefix("errand ") && $0.hasSuffix(" 1") } == [true])
            #expect(try toys.system.query(.transitAlert, "SELECT * FROM suspect").isEmpty)
            #expect(service.isRunning)
        }

        @Test func `a slow command that crashes the process is refused after three crashes`()
            throws
        {
            let first = try toys.startService()
            let id = try toys.client.send(
                Ponder(account: "deadly", amount: 1), deadline: .seconds(300))
            try waitForEnd(of: first)

            var answers: [Client.Answer] = []
            let (service, deaths) = try startUntilItStays("toy-service") {
                answers += try toys.client.receive(within: .milliseconds(100))
                return !answers.isEmpty
            }

            #expect(deaths == 2)
            #expect(answers.map(\.id) == [id])
            let refusal = try Refusal(unpacking: answers[0].result.get().data)
            #expect(refusal.code == .internal)
            #expect(refusal.message.contains("failed 3 times"))
            #expect(try aside() == ["command toy.Ponder 1"])
            try mend()
            let done = try toys.client.ask(
                Ponder(account: "deadly", amount: 1), for: Deposited.self, deadline: .seconds(60))
            #expect(done.balance == 1)
            #expect(service.isRunning)
        }

        @Test func `the administrator is alerted until nothing is put aside`()
            throws
        {
            try toys.system.start("notifier")
            let first = try toys.startService()
            _ = try toys.balance()
            let due = WallClock.milliseconds() + 10_000
            _ = try toys.answer(to: Wake(name: "deadly", due: due))
            _ = try first.waitForEnd()
            _ = try startUntilItStays("toy-service") {
                try !toys.system.query(.transitAlert, "SELECT * FROM deadLetter").isEmpty
            }

            let notifier = try toys.system.client(of: .notifier)
            func alerts() throws -> [Alert] {
                try notifier.ask(ListAlerts(), for: Alerts.self, deadline: .seconds(60)).alerts
            }
            try eventually("it is told") { try alerts().map(\.state) == [.open] }
            let raised = try #require(try alerts().first?.raised)
            #expect(raised.kind == "service.setAside")
            #expect(
                raised.title == "transit-alert-service could not do 1 thing and put it aside")
            #expect(raised.body.contains("wake: the process failed 3 times"))
            #expect(raised.needsAcknowledgement)

            let letter = try #require(try letters(toys.client).first)
            _ = try toys.client.ask(DropDeadLetter(id: letter.id), for: DeadLetterDropped.self)
            try eventually("it is withdrawn") { try alerts().map(\.state) == [.withdrawn] }
        }

        @Test func `the notifier also reports an event that it can't apply itself`() throws {
            try toys.system.start("notifier")
            try toys.startService()
            // An alert without a recipient.
            _ = try toys.answer(
                to: Say(alert: AlertRaised(key: "k", title: "t").packed()))

            let notifier = try toys.system.client(of: .notifier)
            try eventually("it is told") {
                let alerts = try notifier.ask(
                    ListAlerts(), for: Alerts.self, deadline: .seconds(60)
                ).alerts
                return alerts.map { $0.raised?.subject } == ["notifier"]
            }
            #expect(try letters(notifier).map(\.type) == [AlertRaised.protobufName])
        }

        @Test func `many things put aside publish few events`() throws {
            try toys.system.start("notifier")
            try toys.startService()
            for _ in 0..<40 {
                _ = try toys.answer(
                    to: Say(alert: AlertRaised(key: "k", title: "t").packed()))
            }
            let notifier = try toys.system.client(of: .notifier)
            try eventually("all are put aside") { try letters(notifier).count == 40 }

            let heads = try toys.system.query(.notifier, "SELECT head FROM feed")

            // There is a notice when 1, 2, 4, 8, 16 and 32 are put aside.
            #expect(heads == [["6"]])
        }

        /// What was published about things that were put aside.
        private func aside() throws -> [String] {
            try toys.system.published(by: .transitAlert)
                .filter { $0.type == SetAside.protobufName }
                .map {
                    let event = try SetAside(unpacking: $0.data)
                    return "\(event.kind) \(event.type) \(event.count)"
                }
        }

        /// Waits until the message has ended the process.
        private func waitForEnd(of program: Program) throws {
            try eventually("\(program.name) has ended") {
                _ = try toys.client.receive(within: .milliseconds(100))
                return !program.isRunning
            }
        }

        /// Starts a process again and again until the condition holds.
        private func startUntilItStays(
            _ tool: String, _ holds: () throws -> Bool
        ) throws -> (Program, deaths: Int) {
            for deaths in 0..<10 {
                let program = try toys.system.launch(tool)
                var isDone = false
                try eventually("\(tool) has ended, or reached its goal") {
                    guard program.isRunning else { return true }
                    guard program.err.contains("event=ready") else { return false }
                    isDone = try holds()
                    return isDone
                }
                if isDone { return (program, deaths) }
            }
            throw Complaint("\(tool) does not stay up")
        }

        private func mend() throws {
            try Data().write(to: URL(filePath: toys.system.path("data/mended")))
        }

        private func letters(_ desk: Client) throws -> [DeadLetters.Letter] {
            try desk.ask(ListDeadLetters(), for: DeadLetters.self, deadline: .seconds(60)).letters
        }
    }
}
