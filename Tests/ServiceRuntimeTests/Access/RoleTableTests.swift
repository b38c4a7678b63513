import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccountService
@testable import ChecklistService
@testable import Notifier
@testable import PlanService
@testable import ProjectService
@testable import RoutineService
@testable import ServiceRuntime
@testable import TransitAlertService

/// The messages that a service answers, and to whom, as its handlers declare.
struct Declared {
    /// A type of message, by its full name, and who may send it.
    struct Row {
        let type: String
        let access: Access
    }

    static let services: [ServiceName: any Service.Type] = [
        .transitAlert: TransitAlertService.self, .notifier: Notifier.self,
        .account: AccountService.self, .checklist: ChecklistService.self, .plan: PlanService.self,
        .routine: RoutineService.self, .project: ProjectService.self,
    ]

    /// The messages that every service answers, listed by hand, because their handlers belong to a
    /// running loop.
    private static let shared = [
        Row(type: Replay.protobufName, access: .service),
        Row(type: ReadStatus.protobufName, access: .anyone),
        Row(type: ListDeadLetters.protobufName, access: .owner),
        Row(type: RetryDeadLetter.protobufName, access: .owner),
        Row(type: DropDeadLetter.protobufName, access: .owner),
        Row(type: ReadJob.protobufName, access: .person),
        Row(type: ListJobs.protobufName, access: .person),
        Row(type: CancelJob.protobufName, access: .person),
        Row(type: RetryJob.protobufName, access: .person),
        Row(type: FinishJob.protobufName, access: .worker),
        Row(type: HoldFollowing.protobufName, access: .owner),
        Row(type: ForgetFollower.protobufName, access: .owner),
    ]

    /// The rows of a service's own handlers, and of those that every service has.
    static func rows(of service: ServiceName) -> [Row] {
        func open<S: Service>(_: S.Type) -> [MessageHandler] {
            S.handlers + Backups.handlers(of: S.self)
        }
        let own = services[service].map { open($0) } ?? []
        return own.map { Row(type: $0.type, access: $0.access) } + shared
    }
}

/// The kinds of senders that can reach a service.
private enum Sender: CaseIterable {
    /// A gateway's key, and no token.
    case stranger
    /// A forged token, or an expired one.
    case forger, latecomer
    /// An account without any role.
    case noRole
    case display, crew, managerOfArea, managerOfOtherArea, managerOfOtherSite
    case siteManager, administrator, otherOrganisation, owner
    /// A service's key, and no token.
    case service

    var grants: [Grant] {
        switch self {
        case .stranger, .forger, .noRole, .service: []
        case .display: [Grant(role: .display, site: "here")]
        case .crew: [Grant(role: .crew, site: "here", area: "bar")]
        case .managerOfArea: [Grant(role: .shiftManager, site: "here", area: "bar")]
        case .managerOfOtherArea: [Grant(role: .shiftManager, site: "here", area: "kitchen")]
        case .managerOfOtherSite: [Grant(role: .siteManager, site: "there")]
        case .siteManager: [Grant(role: .siteManager, site: "here")]
        case .administrator, .otherOrganisation: [Grant(role: .administrator)]
        case .owner, .latecomer: [Grant(role: .owner)]
        }
    }

    /// The rank of the role, listed by hand to verify the ranks in the code; nil without a role.
    private var rank: Int? {
        switch self {
        case .stranger, .forger, .latecomer, .noRole, .service: nil
        case .display: 0
        case .crew: 1
        case .managerOfArea, .managerOfOtherArea: 2
        case .siteManager, .managerOfOtherSite: 3
        case .administrator, .otherOrganisation: 5
        case .owner: 6
        }
    }

    private static func rank(_ role: Role) -> Int {
        switch role {
        case .unspecified, .unrecognized: -1
        case .display: 0
        case .crew: 1
        case .shiftManager: 2
        case .siteManager: 3
        case .supervisor: 4
        case .administrator: 5
        case .owner: 6
        }
    }

    /// Why a message is denied; nil if it isn't.
    func denial(by access: Access) -> Refusal.Code? {
        switch (self, access) {
        case (.forger, _), (.latecomer, _): .badToken
        case (_, .anyone), (.service, .service): nil
        case (.stranger, _), (.service, _), (_, .service), (_, .worker): .forbidden
        case (_, .account): nil
        case (_, .person): rank.map { $0 >= 1 } ?? true ? nil : .forbidden
        case (_, .role(let least, .site)): (rank ?? -1) >= Self.rank(least) ? nil : .forbidden
        case (_, .role(let least, .organisation)):
            (rank ?? -1) >= 5 && (rank ?? -1) >= Self.rank(least) ? nil : .forbidden
        }
    }

    func token(for service: ServiceName, by authority: Authority) -> [UInt8] {
        switch self {
        case .stranger, .service: return []
        case .forger:
            // It names the key that the service knows, but another one has signed it.
            return Authority(seed: 2).sign(
                authority.claims("eve", grants: [Grant(role: .owner)], audience: service))
        case .latecomer:
            return authority.sign(
                authority.claims("late", grants: grants, audience: service, issued: -1_200_000))
        default:
            var claims = authority.claims("\(self)", grants: grants, audience: service)
            if self == .otherOrganisation { claims.organisation = "p" }
            return authority.sign(claims)
        }
    }
}

extension Processes {
    /// Every type of message of every service, sent by everyone over encrypted TCP.
    @Suite(.serialized) struct RoleTable {
        private let system: System
        private let bus = "tcp://127.0.0.1:\(Loopback.port())"
        private let authority = Authority()

        init() throws {
            system = try System()
            try system.makeKeys(["test": .gateway, "ear": .service])
        }

        @Test(arguments: ServiceName.allCases)
        func `each message is denied to exactly those whom its handler doesn't let in`(
            service: ServiceName
        ) throws {
            try start(service)
            let gateway = try wire("test", to: service)
            let peer = try wire("ear", to: service)
            let rows = Declared.rows(of: service)
            #expect(rows.count > 9)

            var wrong: [String] = []
            var denials: UInt64 = 0
            for row in rows {
                for sender in Sender.allCases {
                    let expected = sender.denial(by: row.access)
                    if expected != nil { denials += 1 }
                    let answer = try ask(
                        row.type, as: sender.token(for: service, by: authority), of: service,
                        over: sender == .service ? peer : gateway)
                    let denied = try denial(answer, by: row.access, of: sender)
                    if denied != expected {
                        wrong.append("\(sender) sends \(row.type): \(answer.type) \(denied as Any)")
                    }
                }
            }
            #expect(wrong == [])
            // A handler's refusal in the same words isn't counted as a denial at the door.
            let status = try ask(ReadStatus.protobufName, as: [], of: service, over: gateway)
            #expect(try ServiceStatus(unpacking: status.data).counters["access.denied"] == denials)
        }

        /// How the message was denied; nil if a handler answered it.
        private func denial(
            _ answer: Envelope, by access: Access, of sender: Sender
        ) throws -> Refusal.Code? {
            guard answer.type == Refusal.protobufName else { return nil }
            let refusal = try Refusal(unpacking: answer.data)
            switch refusal.code {
            case .unknownType: throw Complaint("it is not answered: \(refusal.message)")
            case .badToken: return refusal == .badToken ? .badToken : nil
            case .forbidden:
                let known: Principal =
                    switch sender {
                    case .stranger, .service: .anonymous
                    default: .account("\(sender)", organisation: "o", grants: sender.grants)
                    }
                return refusal == access.refusal(of: known) ? .forbidden : nil
            default: return nil
            }
        }

        /// Starts the service, and makes it accept the tokens of the authority.
        private func start(_ service: ServiceName) throws {
            try launch(service).kill()
            try authority.enter(system, service)
            try launch(service)
        }

        @discardableResult
        private func launch(_ service: ServiceName) throws -> Program {
            let program = try system.launch(
                service.rawValue, bus: bus, adding: ["STEWARD_KEYS": system.path("keys")])
            try program.waitUntilReady()
            return program
        }

        private func wire(_ process: String, to service: ServiceName) throws -> Socket {
            try system.connection(as: process, bus: bus, keys: "keys")
                .connect(.dealer, to: service, .commands)
        }

        /// Sends an empty message of a type, and waits for its answer.
        private func ask(
            _ type: String, as token: [UInt8], of service: ServiceName, over wire: Socket
        ) throws -> Envelope {
            var ids = MessageID.Generator()
            let now = WallClock.milliseconds()
            let id = ids.next(at: now).bytes
            let question = Envelope(
                id: id, type: type, source: "test", time: now, correlationId: id, token: token)
            try eventually("\(service.rawValue) is connected") {
                try wire.send([question.packed()])
            }
            var answer: Envelope?
            try eventually("\(service.rawValue) answers \(type)") {
                while let frames = try wire.receive() {
                    let envelope = try Envelope(unpacking: frames[0].bytes)
                    if envelope.causationId == id { answer = envelope }
                }
                return answer != nil
            }
            return try #require(answer)
        }
    }
}
