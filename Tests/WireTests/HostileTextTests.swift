import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Wire {
    /// To hash, fold or compare a text, Swift normalises it, in time quadratic in the length of a
    /// run of combining marks: 20 s of processor time for 128 KB.
    @Suite(.serialized) struct `A text that is slow to compare` {
        private static let limit: Duration = .milliseconds(100)
        private static let marks = "e" + String(repeating: "\u{0316}\u{0301}", count: 1 << 15)

        private static let messages: [(ServiceName, any ProtobufMessage)] = [
            (.account, LogIn(name: marks, password: "x")),
            (.account, LogIn(name: "x", password: marks)),
            (.account, SignUp(name: marks, password: "x", displayName: marks)),
            (.account, GrantRole(account: marks, grant: Grant(role: .crew, site: marks))),
            (.account, RefreshAccess(refreshToken: [1], audiences: [marks, marks])),
            (.account, CreateSite(name: marks, timeZone: marks, areas: [marks, marks])),
            (.checklist, ReadTemplate(template: marks, site: marks)),
            (.checklist, ListEquipment(site: marks, text: marks)),
            (.checklist, FindSpareParts(site: "Harbour", text: marks)),
            (.plan, ReadPlan(plan: marks)), (.plan, ListPlans(text: marks)),
            (.plan, FindProducts(text: marks, maker: marks)),
            (.transitAlert, FindStops(text: marks, feed: marks)),
            (.transitAlert, StartJourney(feed: marks, stopId: marks)),
            (.notifier, OpenFeed(recipient: marks)), (.notifier, AcknowledgeAlert(id: marks)),
            (.notifier, SendTestMail(to: marks)),
            (.routine, KeepAction(person: marks, action: RoutineAction(name: marks))),
            (.routine, KeepRoutine(routine: Routine(name: marks, tags: [marks, marks]))),
            (.routine, PlanDay(date: marks, tags: [marks, marks], routines: [marks])),
            (.routine, ChangeDay(change: .addRoutine(marks))),
            (.routine, AdoptMeasured(action: marks)),
            (.project, CreateProject(project: Project(identifier: marks, name: marks))),
            (.project, ListProjects(words: marks)), (.project, ReadProject(project: marks)),
            (.project, ListIssues(project: "house", words: marks, assignee: marks)),
            (.project, NoteIssue(project: "house", issue: 1, note: marks)),
        ]

        @Test func `is refused immediately wherever it is, and costs nothing`() throws {
            let installation = try Installation()
            for (service, message) in Self.messages {
                try expectCheap(installation, service, message)
            }
        }

        @Test func `is refused immediately in the envelope`() throws {
            let installation = try Installation()
            for service in ServiceName.allCases {
                let peer = try Peer(installation, service)
                for change: (inout Envelope) -> Void in [
                    { $0.type = Self.marks }, { $0.source = Self.marks },
                    { $0.subject = Self.marks }, { $0.actor = Self.marks },
                    { $0.type = "\u{301}" },
                ] {
                    let cost = try shortestTime(under: Self.limit) {
                        var envelope = peer.envelope(ReadStatus.protobufName, [])
                        change(&envelope)
                        let before = try loopTime(installation, service)

                        let refusal = try peer.refusal(of: envelope)

                        #expect(refusal.code == .invalid)
                        #expect(refusal.isBecause(.fieldLimit))
                        #expect(refusal.message.contains("bus.Envelope."))
                        return try loopTime(installation, service) - before
                    }
                    #expect(cost < Self.limit, "\(service) took \(cost)")
                }
            }
        }

        private func expectCheap(
            _ installation: Installation, _ service: ServiceName, _ message: any ProtobufMessage
        ) throws {
            let type = Swift.type(of: message).protobufName
            let peer = try Peer(installation, service)

            let cost = try shortestTime(under: Self.limit) {
                let before = try loopTime(installation, service)

                let refusal = try peer.refusal(of: peer.envelope(type, message.packed()))

                #expect(refusal.code == .invalid, "\(type): \(refusal.message)")
                #expect(refusal.message.contains(type), "\(refusal.message)")
                return try loopTime(installation, service) - before
            }
            #expect(cost < Self.limit, "\(service) took \(cost) for \(type)")
        }

        /// The processor time that the loop of a service has taken so far. On a busy machine, more
        /// of the loop's own work may fall into the time until an answer comes.
        private func loopTime(
            _ installation: Installation, _ service: ServiceName
        ) throws -> Duration {
            try installation.programs[service]?.loopTime() ?? .zero
        }
    }
}

/// A client that sends arbitrary messages.
final class Peer {
    private let socket: Socket
    private var ids = MessageID.Generator()

    init(_ installation: Installation, _ service: ServiceName) throws {
        socket = try installation.system.connection().connect(.dealer, to: service, .commands)
    }

    /// An envelope as an honest client would make it.
    func envelope(_ type: String, _ data: [UInt8], token: [UInt8] = []) -> Envelope {
        let now = WallClock.milliseconds()
        let id = ids.next(at: now).bytes
        return Envelope(
            id: id, type: type, source: "test", time: now, correlationId: id, token: token,
            deadline: now + 60_000, data: data)
    }

    /// Sends frames as soon as there is room for them.
    func send(_ frames: [[UInt8]]) throws {
        try eventually("there is room in the queue") { try socket.send(frames) }
    }

    /// The envelopes that have arrived since the last call.
    func receive() throws -> [Envelope] {
        var envelopes: [Envelope] = []
        while let frames = try socket.receive() {
            envelopes.append(try Envelope(unpacking: frames[0].bytes))
        }
        return envelopes
    }

    /// The reply to an envelope; nil if none comes within this time.
    func reply(
        to envelope: Envelope, within limit: Duration = .seconds(5)
    ) throws -> Envelope? {
        try send([envelope.packed()])
        var answer: Envelope?
        do {
            try eventually("it is answered", within: limit) {
                answer = try receive().first { $0.causationId == envelope.id } ?? answer
                return answer != nil
            }
        } catch is Complaint {}
        return answer
    }

    /// The refusal of a message.
    func refusal(of envelope: Envelope) throws -> Refusal {
        guard let answer = try reply(to: envelope, within: .seconds(180)) else {
            throw Complaint("it isn't answered")
        }
        guard answer.type == Refusal.protobufName else {
            throw Complaint("it was answered with \(answer.type)")
        }
        return try Refusal(unpacking: answer.data)
    }
}
