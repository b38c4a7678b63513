import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// An installation in which people draw homes.
final class Office {
    let system: System
    let client: Client
    private(set) var service: Program
    private var accounts: Client?

    init() throws {
        system = try System()
        service = try system.start("plan-service")
        client = try system.client(of: .plan)
    }

    /// Ends the service as a power cut would.
    func stop() { service.kill() }

    /// Ends the service as a power cut would, and starts it again.
    func restart() throws {
        service.kill()
        service = try system.start("plan-service")
    }

    /// Sends a message with a token, or without one as the owner of the machine.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as token: [UInt8] = []
    ) throws -> R {
        client.token = token
        defer { client.token = [] }
        return try client.ask(message, for: R.self, deadline: .seconds(300))
    }

    /// The refusal of a message; nil if it was accepted.
    func refusal(
        of message: some ProtobufMessage, as token: [UInt8] = []
    ) throws -> Refusal? {
        try client.refusal(of: message, as: token, deadline: .seconds(300))
    }

    /// Makes a plan.
    @discardableResult
    func make(
        _ name: String = "Storgata 1", _ items: [PlanItem] = [], force: Bool = false,
        as token: [UInt8] = [], _ change: (inout PlanDetails) -> Void = { _ in }
    ) throws -> Plan {
        var details = PlanDetails(name: name)
        change(&details)
        return try ask(
            CreatePlan(details: details, items: items, force: force), for: Plan.self, as: token)
    }

    /// Edits a plan.
    @discardableResult
    func edit(
        _ plan: String = "Storgata 1", _ actions: PlanAction.Action..., force: Bool = false
    ) throws -> PlanEdited {
        try ask(
            EditPlan(plan: plan, actions: actions.map { PlanAction(action: $0) }, force: force),
            for: PlanEdited.self)
    }

    @discardableResult
    func undo(_ plan: String = "Storgata 1", _ steps: UInt32 = 0) throws -> PlanEdited {
        try ask(UndoEdits(plan: plan, steps: steps), for: PlanEdited.self)
    }

    @discardableResult
    func redo(_ plan: String = "Storgata 1", _ steps: UInt32 = 0) throws -> PlanEdited {
        try ask(RedoEdits(plan: plan, steps: steps), for: PlanEdited.self)
    }

    /// A plan and everything in it, in drawing order.
    func read(
        _ plan: String = "Storgata 1", as token: [UInt8] = []
    ) throws -> (plan: Plan, items: [PlanItem]) {
        var items: [PlanItem] = []
        while true {
            let part = try ask(
                ReadPlan(plan: plan, from: UInt32(items.count)), for: PlanContents.self,
                as: token)
            items += part.items
            if part.next == 0 { return (try #require(part.plan), items) }
        }
    }

    func history(_ plan: String = "Storgata 1") throws -> [PlanStep] {
        try ask(ReadPlanHistory(plan: plan, limit: 500), for: PlanHistory.self).steps
    }

    /// The events of a type that the service has published, in order.
    func told<E: ProtobufMessage>(_: E.Type) throws -> [E] {
        try system.published(by: .plan).filter { $0.type == E.protobufName }
            .map { try E(unpacking: $0.data) }
    }

    /// Makes an account of an organisation and returns its access token for plan-service.
    func token(
        _ name: String, in organisation: String = "", _ grants: Grant...
    ) throws -> [UInt8] {
        let accounts = try accountClient()
        try accounts.signUp(name, in: organisation, grants)
        let token = try accounts.logIn(name, for: .plan)
        try eventually("the token of \(name) is known") {
            let refusal = try refusal(of: ListPlans(), as: token)
            return refusal == nil || refusal?.code == .forbidden
        }
        return token
    }

    /// Makes an organisation.
    func organisation(_ name: String) throws -> String {
        try accountClient().ask(CreateOrganisation(name: name), for: Organisation.self).id
    }

    private func accountClient() throws -> Client {
        if let accounts { return accounts }
        try system.start("account-service")
        let client = try system.client(of: .account)
        accounts = client
        return client
    }
}

extension PlanItem {
    static func wall(
        _ id: String, _ from: (Int32, Int32), _ to: (Int32, Int32), _ thickness: UInt32 = 100
    ) -> PlanItem {
        PlanItem(
            item: .wall(
                Wall(
                    id: id, start: PlanPoint(x: from.0, y: from.1),
                    end: PlanPoint(x: to.0, y: to.1), thickness: thickness)))
    }

    static func door(
        _ id: String, in wall: String, at offset: UInt32, width: UInt32 = 900, _ label: String = ""
    ) -> PlanItem {
        PlanItem(
            item: .opening(
                Opening(
                    id: id, wall: wall, kind: .door, offset: offset, width: width, label: label)))
    }

    static func element(
        _ id: String, _ kind: ElementKind = .bed, at place: (Int32, Int32),
        _ width: UInt32 = 900, _ depth: UInt32 = 2_000, _ label: String = ""
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: kind, label: label,
                    centre: PlanPoint(x: place.0, y: place.1), width: width, depth: depth)))
    }

    /// Beds side by side, a metre apart.
    static func beds(_ count: Int, _ prefix: String = "bed") -> [PlanItem] {
        (0..<count).map { number in
            element(
                "\(prefix)-\(number + 1)",
                at: (Int32(number % 100) * 1_000, Int32(number / 100) * 2_100))
        }
    }

    /// Four walls of a room of 4 x 3 m, and its door.
    static var room: [PlanItem] {
        [
            wall("south", (0, 0), (4_000, 0)), wall("east", (4_000, 0), (4_000, 3_000)),
            wall("north", (4_000, 3_000), (0, 3_000)), wall("west", (0, 3_000), (0, 0)),
            door("door-1", in: "south", at: 500, "Entrance"),
        ]
    }
}

extension PlanAction.Action {
    static func add(_ items: PlanItem...) -> Self { .add(AddItems(items: items)) }
    static func move(_ ids: String..., by offset: (Int32, Int32)) -> Self {
        .move(MoveItems(ids: ids, by: PlanPoint(x: offset.0, y: offset.1)))
    }
    static func remove(_ ids: String...) -> Self { .remove(RemoveItems(ids: ids)) }
}

/// Tests that start processes: each has an installation of its own, so a few run at once.
@Suite(.waiting) enum Processes {}
