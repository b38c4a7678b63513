import Bus
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Whose jobs and dead letters a person sees.
    @Suite(.serialized) struct Scopes {
        let authority = Authority()

        private func ask<R: ProtobufMessage>(
            _ toys: Toys, as token: [UInt8], _ message: some ProtobufMessage, for _: R.Type
        ) throws -> R {
            toys.client.token = token
            defer { toys.client.token = [] }
            return try toys.client.ask(message, for: R.self)
        }

        private func refusal(
            _ toys: Toys, as token: [UInt8], of message: some ProtobufMessage
        ) throws -> Refusal {
            toys.client.token = token
            defer { toys.client.token = [] }
            return try toys.refusal(of: message)
        }

        @Test func `a job is visible to, and cancelled by, only its starter and the owner`() throws
        {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)
            let ann = authority.token("ann")
            let bob = authority.token("bob", grants: [Grant(role: .administrator)])
            let owner = authority.token("eve", grants: [Grant(role: .owner)])
            let work = Work(account: "a", steps: 1000, pause: 50)
            let job = try ask(toys, as: ann, work, for: JobAccepted.self).jobId
            let other = try ask(toys, as: [], work, for: JobAccepted.self).jobId

            #expect(
                try ask(toys, as: ann, ListJobs(), for: Messages.Jobs.self).jobs.map(\.id) == [job])
            #expect(try ask(toys, as: bob, ListJobs(), for: Messages.Jobs.self).jobs.isEmpty)
            #expect(try ask(toys, as: owner, ListJobs(), for: Messages.Jobs.self).jobs.count == 2)
            #expect(try ask(toys, as: [], ListJobs(), for: Messages.Jobs.self).jobs.count == 2)
            for (asker, hidden) in [(ann, other), (bob, job), (bob, other)] {
                let unknown = Refusal.notFound("there is no job “\(hidden)”")
                    .because(.idMissing, of: hidden, ["thing": "job"])
                #expect(try refusal(toys, as: asker, of: ReadJob(jobId: hidden)) == unknown)
                #expect(try refusal(toys, as: asker, of: CancelJob(jobId: hidden)) == unknown)
            }
            #expect(try ask(toys, as: ann, ReadJob(jobId: job), for: Job.self).id == job)
            let ended = try ask(toys, as: ann, CancelJob(jobId: job), for: Job.self)
            #expect(ended.state == .cancelled)
            let last = try ask(toys, as: owner, CancelJob(jobId: other), for: Job.self)
            #expect(last.state == .cancelled)
        }

        @Test func `only the owner has access to dead letters`() throws {
            let toys = try Toys()
            try toys.startService()
            _ = try toys.startAccounts(authority)
            let administrator = authority.token("bob", grants: [Grant(role: .administrator)])
            let owner = authority.token("eve", grants: [Grant(role: .owner)])

            let denied = [
                try refusal(toys, as: administrator, of: ListDeadLetters()),
                try refusal(toys, as: administrator, of: RetryDeadLetter(id: 1)),
                try refusal(toys, as: administrator, of: DropDeadLetter(id: 1)),
            ]

            let expected = Refusal.forbidden("this needs the role owner in the organisation")
                .because(.roleLacking, of: "owner")
            #expect(denied == [expected, expected, expected])
            #expect(
                try ask(toys, as: owner, ListDeadLetters(), for: DeadLetters.self).letters == [])
        }
    }
}
