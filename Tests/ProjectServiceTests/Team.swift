import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// An installation in which people keep projects.
final class Team {
    let system: System
    let client: Client
    private(set) var service: Program
    private var accounts: Client?

    init() throws {
        system = try System()
        service = try system.start("project-service")
        client = try system.client(of: .project)
    }

    /// Ends the service as a power cut would, and starts it again.
    func restart(adding more: [String: String] = [:]) throws {
        service.kill()
        service = try system.launch("project-service", adding: more)
        try service.waitUntilReady()
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
    func refusal(of message: some ProtobufMessage, as token: [UInt8] = []) throws -> Refusal? {
        try client.refusal(of: message, as: token, deadline: .seconds(300))
    }

    /// Makes a project.
    @discardableResult
    func make(_ identifier: String = "house", as token: [UInt8] = []) throws -> Project {
        try ask(
            CreateProject(project: Project(identifier: identifier, name: "The \(identifier)")),
            for: Project.self, as: token)
    }

    /// Edits a project.
    @discardableResult
    func edit(
        _ project: String = "house", _ actions: ProjectAction..., preview: Bool = false
    ) throws -> ProjectEdited {
        try ask(
            EditProject(project: project, actions: actions, preview: preview),
            for: ProjectEdited.self)
    }

    /// Adds an issue, and returns its number.
    @discardableResult
    func add(
        _ subject: String, _ start: String = "", _ due: String = "", to project: String = "house",
        after: UInt32? = nil
    ) throws -> UInt32 {
        var actions: [ProjectAction] = [
            .keep(.issue(TrackedIssue(subject: subject, start: start, due: due)))
        ]
        if let after {
            actions.append(.keep(.relation(IssueLink(kind: .precedes, from: after))))
        }
        return try ask(
            EditProject(project: project, actions: actions), for: ProjectEdited.self
        ).numbers[0]
    }

    /// A project and everything in it.
    func read(
        _ project: String = "house", as token: [UInt8] = []
    ) throws -> (project: Project, things: [ProjectThing]) {
        var things: [ProjectThing] = []
        var read: Project?
        while true {
            let part = try ask(
                ReadProject(project: project, skip: UInt32(things.count)),
                for: ProjectContents.self, as: token)
            things += part.things
            read = read ?? part.project
            if part.next == 0 { return (try #require(read), things) }
        }
    }

    /// The issues of a project by their numbers.
    func issues(_ project: String = "house") throws -> [UInt32: TrackedIssue] {
        let issues = try read(project).things.compactMap { thing -> TrackedIssue? in
            if case .issue(let issue) = thing.thing { issue } else { nil }
        }
        return Dictionary(uniqueKeysWithValues: issues.map { ($0.number, $0) })
    }

    @discardableResult
    func undo(_ project: String = "house", _ steps: UInt32 = 0) throws -> ProjectEdited {
        try ask(UndoProject(project: project, steps: steps), for: ProjectEdited.self)
    }

    @discardableResult
    func redo(_ project: String = "house", _ steps: UInt32 = 0) throws -> ProjectEdited {
        try ask(RedoProject(project: project, steps: steps), for: ProjectEdited.self)
    }

    /// What happened to an issue, newest first.
    func journal(_ issue: UInt32, of project: String = "house") throws -> [IssueEntry] {
        try ask(ReadIssue(project: project, issue: issue), for: IssueContents.self).journal
    }

    /// The events of a type that the service has published, in order.
    func told<E: ProtobufMessage>(_: E.Type) throws -> [E] {
        try system.published(by: .project).filter { $0.type == E.protobufName }
            .map { try E(unpacking: $0.data) }
    }

    /// Sends a command, kills the service after this time, starts it again and returns the answer.
    func killed<R: ProtobufMessage>(
        _ command: some ProtobufMessage, for _: R.Type, after moment: Duration
    ) throws -> R {
        try client.ask(command, for: R.self, killedAfter: moment) { try restart() }
    }

    /// Makes an account of an organisation and returns its access token for project-service.
    func token(
        _ name: String, in organisation: String = "", _ grants: Grant...
    ) throws -> [UInt8] {
        let accounts = try accountClient()
        try accounts.signUp(name, in: organisation, grants)
        let token = try accounts.logIn(name, for: .project)
        try eventually("the token of \(name) is known") {
            let refusal = try refusal(of: ListProjects(), as: token)
            return refusal == nil || refusal?.code == .forbidden
        }
        return token
    }

    /// Disables an account, or enables it again.
    func change(_ name: String, isDisabled: Bool) throws {
        _ = try accountClient().ask(
            SetAccountDisabled(account: name, isDisabled: isDisabled), for: Account.self)
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

extension ProjectAction {
    static func keep(_ thing: ProjectThing.Thing) -> ProjectAction {
        ProjectAction(action: .keep(ProjectThing(thing: thing)))
    }

    static func remove(_ thing: ProjectThing.Thing) -> ProjectAction {
        ProjectAction(action: .remove(ProjectThing(thing: thing)))
    }
}

/// Tests that start processes: each has an installation of its own, so a few run at once.
@Suite(.waiting) enum Processes {}
