import Messages
import ProjectRecord
import RedmineMirror
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// The project that is made to mirror one of a server, in a real store.
struct LinkedProjectTests {
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        try store.run { transaction in
            try RedmineLogInRow(
                logIn: RedmineLogIn(id: "lead", server: "https://redmine", account: "lead"),
                organisation: "o", user: 6, sealed: [1]
            ).save(transaction.db)
        }
    }

    private static func remote(
        _ name: String, _ description: String = ""
    ) throws -> RemoteProject {
        let fields = [
            #""id":1,"identifier":"house""#, #""name":"\#(name)""#,
            #""description":"\#(description)""#,
        ]
        let text = #"{"project":{\#(fields.joined(separator: ","))}}"#
        return try RedmineReader.project(Array(text.utf8))
    }

    /// Links a project, and then reads it for the first time.
    private func state(linking first: RemoteProject, reading next: RemoteProject) throws
        -> MirrorState
    {
        try store.run(as: Self.lead) { (transaction: Transaction) throws -> MirrorState in
            let link = try Redmines.link(LinkRedmine(remote: "house"), first, in: transaction)
            let row = try transaction.project(link.project?.id ?? "")
            var state = MirrorState(
                try row.record(transaction), MirrorStateTests.names,
                try MirroredStore.links(of: row.project.id, transaction.db), [])
            state.apply(next, [])
            return state
        }
    }

    @Test func `a mirror has the name that its project has there, also if that has just changed`()
        throws
    {
        let state = try state(
            linking: Self.remote("House", "Old"), reading: Self.remote("Home", "New"))

        #expect(state.record.details.name == "House")
        #expect(state.details.name == "Home" && state.details.description == "New")
        #expect(state.conflicts.isEmpty && state.skipped.isEmpty)
    }

    @Test func `a project is mirrored without a description that is too long, which is reported`()
        throws
    {
        let remote = try Self.remote("House", String(repeating: "x", count: 20_001))
        let state = try state(linking: remote, reading: remote)

        #expect(state.details.name == "House" && state.details.description.isEmpty)
        #expect(state.skipped.count == 1 && state.skipped[0].contains("the description"))
        #expect(state.conflicts.isEmpty)
        // The description there stays.
        let plan = MirrorPlan(
            state.record, MirrorStateTests.names, state.links, state.conflicts)
        #expect(plan.steps.isEmpty)
    }
}
