import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// Everyone who may ask about what is Ann's. She manages the bar of a site, in the organisation
/// "o"; the administrator there keeps its catalogue, its timetables and its mails.
enum Asker: CaseIterable {
    case stranger, noRole, carer, display, crewOfOtherArea, managerOfOtherArea, managerOfOtherSite
    case siteManager, administrator, otherOrganisation, owner

    /// Those of her organisation who have a role in it and are people.
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

/// A message about what is Ann's, or that could tell of it, and whom it is of use to.
struct Scope {
    let type: any ProtobufMessage.Type
    /// Who gets at what is hers by it.
    let reached: Set<Asker>
    /// True when it names what is hers, so that anyone else is refused; false when everyone who is
    /// let in is answered, but learns nothing of hers.
    let isNamed: Bool
    let make: (ScopeStage) -> any ProtobufMessage

    /// It names something of hers.
    static func about<M: ProtobufMessage>(
        _ reached: Set<Asker>, _ make: @escaping (ScopeStage) -> M
    ) -> Scope {
        Scope(type: M.self, reached: reached, isNamed: true, make: make)
    }

    /// It lists, or makes something of the asker's own.
    static func own<M: ProtobufMessage>(
        seenBy reached: Set<Asker> = [], _ make: @escaping (ScopeStage) -> M
    ) -> Scope {
        Scope(type: M.self, reached: reached, isNamed: false, make: make)
    }
}

/// A service with keys of an authority, on TCP, and what is Ann's in it.
final class ScopeStage {
    /// What stands in everything that is hers, and nowhere else.
    static let mark = "anns-own"

    let service: ServiceName
    let system: System
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"
    private let authority = Authority()
    private let client: Client
    private var number = 0
    /// Ids of what is hers by the name of the field that means it.
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

    /// Asks in Ann's name, or in that of another.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as asker: Asker? = nil
    ) throws -> R {
        try Client.unpack(answer(to: message, as: asker), as: R.self)
    }

    /// The answer as it came.
    func answer(to message: some ProtobufMessage, as asker: Asker? = nil) throws -> Envelope {
        client.token = asker?.token(for: service, by: authority) ?? annsToken
        let id = try client.send(message, deadline: .seconds(60))
        while true {
            for answer in try client.receive(within: .seconds(60)) where answer.id == id {
                return try answer.result.get()
            }
        }
    }

    /// True when the asker got at what is hers.
    func isReached(_ scope: Scope, by asker: Asker) throws -> Bool {
        let answer = try answer(to: scope.make(self), as: asker)
        guard answer.type == Refusal.protobufName else {
            return scope.isNamed || Data(answer.data).range(of: Data(Self.mark.utf8)) != nil
        }
        let code = try Refusal(unpacking: answer.data).code
        // Any other refusal is one of somebody who may.
        return scope.isNamed && ![.forbidden, .notFound, .badToken].contains(code)
    }
}

extension Authority {
    /// Has a service that is not running accept the tokens of this authority.
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
    /// Each message of a service about what is somebody's, sent by everyone else. account-service
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
