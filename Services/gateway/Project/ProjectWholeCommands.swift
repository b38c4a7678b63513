import ArgumentParser
import Messages
import Speech

extension ProjectCommand {
    /// `steward project delete`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a project with everything in it.",
            discussion: """
                It can't be brought back. Name the project even if it is the one in use. Meetings \
                that are not over are cancelled, and their guests get a mail about that.
                """)

        @Argument(help: "Its identifier, name or id.", completion: Offered.projects)
        var name: String
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            if !yes, repeating.id == nil {
                try Deletion.ask("a project", session) {
                    let project = try session.project(named: name)
                    return "\(project.words) with \(Wording.count(project.issues, "issue"))"
                }
            }
            let reply = try session.askProject(
                DeleteProject(project: name), for: ProjectDeleted.self, repeating: repeating)
            try session.keptProject.forget(reply.project)
            if output.json {
                return try session.printer.json(
                    .projects, [["id": reply.project, "name": reply.name]])
            }
            session.printer.result("“\(reply.name.printable)” is deleted")
        }
    }

    /// `steward project history`
    struct History: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "Shows the history of a project, newest first.")

        @Option(help: "The maximum number of steps, up to 500.")
        var limit: UInt32 = 50
        @Option(help: "Only steps before this one.")
        var before: UInt64 = 0
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let project = try target.project(session)
            try StepTable.show(before: before, limit: limit, session, output) { before, limit in
                try session.askProject(
                    ReadProjectHistory(project: project, before: before, limit: limit),
                    for: ProjectHistory.self
                ).steps
            }
        }
    }

    /// `steward project undo`
    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undoes the last edits; steward project redo makes them again.")

        @OptionGroup var options: StepOptions

        func run() throws {
            try options.ask {
                UndoProject(project: $0, steps: $1, expectedRevision: options.revision)
            }
        }
    }

    /// `steward project redo`
    struct Redo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redo",
            abstract: "Makes undone edits again.")

        @OptionGroup var options: StepOptions

        func run() throws {
            try options.ask {
                RedoProject(project: $0, steps: $1, expectedRevision: options.revision)
            }
        }
    }

    /// How many steps of which project are undone or redone.
    struct StepOptions: ParsableArguments {
        @Argument(help: "How many.")
        var steps: UInt32 = 1
        @Option(
            help: "The revision in steward project show; nothing is done if it is another by now.")
        var revision: UInt64 = 0
        @OptionGroup var target: ProjectOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard steps > 0 else { throw ValidationError("say how many steps: 1 or more") }
        }

        /// Sends the command for the project and this many steps, and prints what it did.
        func ask(_ command: (String, UInt32) -> some ProtobufMessage) throws {
            let session = try Session()
            let reply = try session.askProject(
                command(try target.project(session), steps), for: ProjectEdited.self,
                repeating: repeating)
            try ProjectEditOptions.show(reply, nil, session, output)
        }
    }
}
