import Bus
import GRDB
import Messages
import RoutineDay
import TestSupport
import TestThreads
import Testing

@testable import RoutineService

/// How many routines a person may have, however they come about.
@Suite(.waiting) struct RoutineRoomTests {
    private static let mostBytes = 800_000
    private static let action = RoutineAction(name: "Alfred", minutes: 5, priority: 3)

    private let system: System
    private let client: Client

    init() throws {
        system = try System()
        try system.start("routine-service")
        client = try system.client(of: .routine)
        // There is a routine that can be brought back.
        let old = Self.routine("Old", about: 1_000, id: "")
        _ = try ask(KeepRoutine(routine: old), for: Routine.self)
        _ = try ask(DeleteRoutine(routine: "Old"), for: Routine.self)
    }

    private static func routine(
        _ name: String, about bytes: Int = 0, actions count: Int = 1, id: String? = nil
    ) -> Routine {
        Routine(
            id: id ?? name, name: name, description: String(repeating: "x", count: bytes),
            actions: Array(repeating: action, count: count), until: 1_440)
    }

    /// Routines that leave room for 600 bytes or a little less.
    private static var full: [Routine] {
        var routines = (1...113).map { routine("r\($0)", about: 7_000) }
        let bytes = routines.reduce(routine("rest", actions: 40).packed().count) {
            $0 + $1.packed().count
        }
        routines.append(routine("rest", about: mostBytes - bytes - 600, actions: 40))
        return routines
    }

    private func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R {
        try client.ask(message, for: R.self, deadline: .seconds(60))
    }

    /// Why a message is refused; nil if it isn't.
    private func refusal<R: ProtobufMessage>(
        of message: some ProtobufMessage, for _: R.Type
    ) throws -> String? {
        do {
            _ = try ask(message, for: R.self)
            return nil
        } catch ClientError.refused(let refusal) { return refusal.message }
    }

    /// All routines, and the number of answers that they took.
    private func listed() throws -> (routines: [Routine], pages: Int) {
        var routines: [Routine] = []
        var (after, pages) = ("", 0)
        repeat {
            let page = try ask(ListRoutines(after: after), for: Messages.Routines.self)
            routines += page.routines
            after = page.next
            pages += 1
        } while !after.isEmpty && pages < 50
        return (routines, pages)
    }

    /// Adds routines and a picture to the store without the service's knowledge.
    private func add(_ routines: [Routine], picture checksum: [UInt8] = []) throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(30)
        let queue = try DatabaseQueue(path: system.store(.routine), configuration: configuration)
        try queue.write { db in
            let person = try #require(try String.fetchOne(db, sql: "SELECT account FROM person"))
            for routine in routines { try routine.save(of: person, db) }
            guard !checksum.isEmpty else { return }
            try PersonalPicture(checksum: checksum, file: [1], licence: "my own")
                .save(of: person, at: 4_000_000_000_000, db)
        }
    }

    @Test func `a deleted routine is brought back among 200 others only when one is deleted`()
        throws
    {
        try add((1...RoutineLimits.routines).map { Self.routine("r\($0)") })
        let restore = RestoreRoutine(routine: "Old")

        let new = KeepRoutine(routine: Self.routine("New", id: ""))
        let refusals = [
            try refusal(of: restore, for: Routine.self), try refusal(of: new, for: Routine.self),
        ]
        for said in refusals {
            #expect(said?.contains("there are 200 routines already") == true)
        }
        // One that is there can still be changed.
        #expect(
            try refusal(of: KeepRoutine(routine: Self.routine("r1")), for: Routine.self) == nil)
        _ = try ask(DeleteRoutine(routine: "r1"), for: Routine.self)
        #expect(try refusal(of: restore, for: Routine.self) == nil)
        #expect(try listed().routines.count == RoutineLimits.routines)
    }

    @Test func `a deleted routine is brought back only if the routines aren't too large then`()
        throws
    {
        try add(Self.full)

        let said = try refusal(of: RestoreRoutine(), for: Routine.self)

        #expect(said?.contains("the routines are full") == true)
        let (routines, pages) = try listed()
        #expect(routines.count == 114 && pages == 1)
    }

    @Test func `a picture of an action is refused if the routines are too large with it`() throws {
        let checksum = [UInt8](repeating: 7, count: 32)
        try add(Self.full, picture: checksum)
        var shown = Self.action
        shown.picture = checksum

        let said = try refusal(of: KeepAction(action: shown), for: OwnAction.self)

        #expect(said?.contains("the routines are full") == true)
        #expect(try listed().routines.allSatisfy { $0.actions.allSatisfy(\.picture.isEmpty) })
        let own = try ask(ListOwnActions(), for: Messages.OwnActions.self)
        #expect(own.actions.isEmpty)
    }

    @Test func `if there are already too many routines, all are listed, and can be made smaller`()
        throws
    {
        try add((1...240).map { Self.routine("r\($0)", about: 7_000) })

        let (routines, pages) = try listed()

        #expect(Set(routines.map(\.name)) == Set((1...240).map { "r\($0)" }))
        #expect(routines.count == 240 && pages > 1)
        let small = KeepRoutine(routine: Self.routine("r1"))
        #expect(try refusal(of: small, for: Routine.self) == nil)
        _ = try ask(DeleteRoutine(routine: "r2"), for: Routine.self)
        #expect(try listed().routines.count == 239)
    }
}
