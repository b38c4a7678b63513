import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// Everyone who may try to get at Ann's things. She manages the bar of a site in the organisation
/// "o"; the administrator there keeps its catalogue, its timetables and its mails.
enum Asker: CaseIterable {
    case stranger, noRole, carer, display, crewOfOtherArea, managerOfOtherArea, managerOfOtherSite
    case siteManager, administrator, otherOrganisation, owner

    /// The people of her organisation who have a role in it.
    static let members: Set<Asker> = [
        .crewOfOtherArea, .managerOfOtherArea, .managerOfOtherSite, .siteManager, .administrator,
        .owner,
    ]

    private var grants: [Grant] {
        switch self {
        case .stranger, .noRole, .carer: []
        case .display: [Grant(role: .display, site: "here")]
        case .crewOfOtherArea: [Grant(role: .crew, site: "here", area: "kitchen")]
        case .managerOfOtherArea: [Grant(role: .shiftManager, site: "here", area: "kitchen")]
        case .managerOfOtherSite: [Grant(role: .siteManager, site: "there")]
        case .siteManager: [Grant(role: .siteManager, site: "here")]
        case .administrator, .otherOrganisation: [Grant(role: .administrator)]
        case .owner: [Grant(role: .owner)]
        }
    }

    func token(for service: ServiceName, by authority: Authority) -> [UInt8] {
        guard self != .stranger else { return [] }
        var claims = authority.claims(
            "\(self)", grants: grants, audience: service, caresFor: self == .carer ? ["ann"] : [])
        if self == .otherOrganisation { claims.organisation = "p" }
        return authority.sign(claims)
    }
}

/// A message about Ann's things, or one that could reveal them, and who may get at them with it.
struct Scope {
    let type: any ProtobufMessage.Type
    /// Who gets at Ann's things with it.
    let reached: Set<Asker>
    /// True if it names a thing of Ann's, so that anyone else is refused; false if everyone who may
    /// send it gets an answer, but learns nothing about Ann's things.
    let isNamed: Bool
    let make: (ScopeStage) -> any ProtobufMessage

    /// A message that names a thing of Ann's.
    static func about<M: ProtobufMessage>(
        _ reached: Set<Asker>, _ make: @escaping (ScopeStage) -> M
    ) -> Scope {
        Scope(type: M.self, reached: reached, isNamed: true, make: make)
    }

    /// A message that lists things, or makes one of the asker's own.
    static func own<M: ProtobufMessage>(
        seenBy reached: Set<Asker> = [], _ make: @escaping (ScopeStage) -> M
    ) -> Scope {
        Scope(type: M.self, reached: reached, isNamed: false, make: make)
    }
}

/// A service on TCP that accepts the tokens of an authority, and Ann's things in it.
final class ScopeStage {
    /// A text that is in all of Ann's things, and nowhere else.
    static let mark = "anns-own"

    let service: ServiceName
    let system: System
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"
    private let authority = Authority()
    private let client: Client
    private var number = 0
    /// The ids of Ann's things, by the names of the fields that take them.
    var ids: [String: String] = [:]

    init(_ service: ServiceName) throws {
        self.service = service
        system = try System()
        let first = try system.launch(service.rawValue, bus: bus)
        try first.waitUntilReady()
        first.kill()
        try authority.enter(system, service)
        try system.launch(service.rawValue, bus: bus).waitUntilReady()
        client = try system.client(of: service, bus: bus)
    }

    /// A name that nothing has yet.
    var fresh: String {
        number += 1
        return "thing \(number)"
    }

    private var annsToken: [UInt8] {
        authority.sign(
            authority.claims(
                "ann", grants: [Grant(role: .shiftManager, site: "here", area: "bar")],
                audience: service))
    }

    /// Sends a message in the name of Ann, or of someone else.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as asker: Asker? = nil
    ) throws -> R {
        try Client.unpack(answer(to: message, as: asker), as: R.self)
    }

    /// The answer to a message, even if it is a refusal.
    func answer(to message: some ProtobufMessage, as asker: Asker? = nil) throws -> Envelope {
        client.token = asker?.token(for: service, by: authority) ?? annsToken
        return try client.answer(to: message)
    }

    /// True if the asker got at Ann's things.
    func isReached(_ scope: Scope, by asker: Asker) throws -> Bool {
        let answer = try answer(to: scope.make(self), as: asker)
        guard answer.type == Refusal.protobufName else {
            return scope.isNamed || Data(answer.data).range(of: Data(Self.mark.utf8)) != nil
        }
        let code = try Refusal(unpacking: answer.data).code
        // Any other refusal is one that only someone with access gets.
        return scope.isNamed && ![.forbidden, .notFound, .badToken].contains(code)
    }
}

extension Authority {
    /// Makes a service that isn't running accept the tokens of this authority.
    func enter(_ system: System, _ service: ServiceName) throws {
        let hex = { (bytes: [UInt8]) in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        try system.edit(
            service,
            """
            INSERT INTO accessKey (id, key, ends)
            VALUES (x'\(hex(Array(publicKey.prefix(8))))', x'\(hex(publicKey))', 0)
            """)
    }
}

extension Processes {
    /// Every message of a service about a person's things, sent by everyone else. account-service
    /// and checklist-service, where sites and areas decide, have tables of their own.
    @Suite(.serialized) struct ScopeTable {
        @Test(arguments: ScopeTables.all.keys.sorted { $0.rawValue < $1.rawValue })
        func `a person's data is reached only by those in the table`(
            service: ServiceName
        ) throws {
            let stage = try ScopeStage(service)
            let table = try #require(ScopeTables.all[service])
            let rows = table.rows
            let declared = Declared.services[service].map { Set($0.handlers.map(\.type)) } ?? []
            #expect(Set(rows.map { $0.type.protobufName }) == declared)

            try table.prepare(stage)
            let before = try table.state(stage)
            var wrong: [String] = []
            func attempt(_ row: Scope, _ asker: Asker) throws {
                let isReached = try stage.isReached(row, by: asker)
                guard isReached != row.reached.contains(asker) else { return }
                wrong.append(
                    "\(asker) \(isReached ? "reaches" : "doesn't reach") what is Ann's by "
                        + row.type.protobufName)
            }
            for row in rows {
                for asker in Asker.allCases where !row.reached.contains(asker) {
                    try attempt(row, asker)
                }
            }
            #expect(try table.state(stage) == before, "what was denied changed something")
            for row in rows {
                for asker in Asker.allCases where row.reached.contains(asker) {
                    try table.prepare(stage)
                    try attempt(row, asker)
                }
            }
            #expect(wrong == [])
        }
    }
}
