import ArgumentParser
import Messages
import ProjectFiles
import Speech
import Terminal

extension IssueCommand {
    /// `steward issue mine`
    struct Mine: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mine",
            abstract:
                "Shows your issues in all projects: due, blocked, moved since you last looked.",
            discussion: """
                You are whoever was added with steward project person add NAME --me.
                """)

        @Option(help: "Those that are late, or due within this many days.")
        var dueWithin: UInt32 = 7
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...36_500).contains(dueWithin) else {
                throw ValidationError("--due-within is 1 to 36500 days")
            }
        }

        func run() throws {
            let session = try Session()
            let today = try session.today.iso
            let mine = try session.askProject(
                LookAtMyIssues(dueWithin: dueWithin, today: today), for: MyIssues.self)
            if output.json { return try session.printer.json(.myIssues, [mine]) }
            let since =
                mine.looked == 0 ? "" : " since \(try session.siteClock.moment(mine.looked))"
            let parts = [
                ("late, or due within \(Wording.count(dueWithin, "day"))", mine.due),
                ("waiting for another issue", mine.blocked), ("moved\(since)", mine.moved),
            ]
            for (place, part) in parts.enumerated() where !part.1.isEmpty {
                let count = mine.counts.indices.contains(place) ? mine.counts[place] : 0
                let more = count > part.1.count ? ", of which \(part.1.count) are shown" : ""
                session.printer.result("\(part.0): \(Wording.count(count, "issue"))\(more)")
                session.printer.table(
                    IssueTable.table(of: part.1, today: today, withProject: true))
            }
            session.printer.remark("\(Wording.count(mine.open, "open issue")) of yours in all")
            if mine.leftOut > 0 {
                session.printer.remark(
                    "\(Wording.count(mine.leftOut, "project")) of yours were not searched; see "
                        + "steward issue list --assignee me -p PROJECT")
            }
        }
    }

    /// `steward issue filter`
    struct Filter: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "filter",
            abstract: "Filters for lists of issues, kept under a name.",
            discussion: """
                  steward issue filter keep Urgent --assignee me --priority urgent --all-projects
                  steward issue filter keep Week --due-within 7 --shared
                  steward issue list --filter Urgent

                Options given with --filter override those of the filter.
                """,
            subcommands: [List.self, Keep.self, Delete.self], defaultSubcommand: List.self)

        /// `steward issue filter list`
        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Lists your filters, and those that projects share.")

            @Option(
                name: [.long, .customShort("p")],
                help: "Only the shared filters of this project.",
                completion: Offered.projects)
            var project = ""
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let reply = try session.askProject(
                    ListIssueFilters(project: project), for: IssueFilters.self)
                let filters = reply.filters
                if output.json {
                    return try session.printer.json(
                        .issueFilters, filters, beside: ["more": reply.more])
                }
                guard !filters.isEmpty else {
                    return session.printer.remark(
                        "no filter is kept; keep one: steward issue filter keep NAME …")
                }
                var table = TextTable([
                    .text("NAME"), .text("SHARED IN"), .text("PROJECT"), .text("ASKS FOR"),
                ])
                for filter in filters {
                    table.add([
                        .init(filter.name), .init(filter.shared),
                        .init(filter.query.project.isEmpty ? "all" : filter.query.project),
                        .init(filter.query.sought),
                    ])
                }
                session.printer.table(table)
                if reply.more {
                    session.printer.remark("there are more shared ones; name a project: -p")
                }
            }
        }

        /// `steward issue filter keep`
        struct Keep: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "keep",
                abstract: "Keeps a filter, replacing the one of that name.")

            @Argument(help: "Its name.")
            var name: String
            @OptionGroup var sought: IssueSought
            @Flag(help: "Share it with everyone who works for the project.")
            var shared = false
            @OptionGroup var target: ProjectOption
            @OptionGroup var repeating: RepeatOptions
            @OptionGroup var output: OutputOptions

            func validate() throws {
                guard !shared || !sought.isEverywhere else {
                    throw ValidationError("--shared and --all-projects can't be used together")
                }
            }

            func run() throws {
                let session = try Session()
                var query = try sought.query(session)
                if !sought.isEverywhere { query.project = try target.project(session) }
                let filter = IssueFilter(
                    name: name, shared: shared ? query.project : "", query: query)
                let kept = try session.askProject(
                    KeepIssueFilter(filter: filter), for: IssueFilter.self, repeating: repeating)
                if output.json { return try session.printer.json(.issueFilters, [kept]) }
                session.printer.result(
                    "“\(kept.name)” is kept; use it: steward issue list --filter "
                        + kept.name.asWord)
            }
        }

        /// `steward issue filter delete`
        struct Delete: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "delete", abstract: "Deletes a filter.")

            @Argument(help: "Its name.")
            var name: String
            @Flag(help: "The filter that the project shares, not yours.")
            var shared = false
            @OptionGroup var target: ProjectOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let deleted = try session.askProject(
                    DeleteIssueFilter(
                        name: name, shared: shared ? try target.project(session) : ""),
                    for: IssueFilter.self)
                if output.json { return try session.printer.json(.issueFilters, [deleted]) }
                session.printer.result("“\(deleted.name)” is deleted")
            }
        }
    }
}

extension ListIssues {
    /// Its conditions, as options of the command line.
    fileprivate var sought: String {
        var parts = words.isEmpty ? [] : [words]
        if state != .unspecified, status.isEmpty { parts.append("--state \(state)") }
        for (option, value) in [
            ("status", status), ("tracker", tracker), ("assignee", assignee),
            ("version", version), ("due-from", dueFrom), ("due-before", dueBefore),
            ("start-from", startFrom), ("start-before", startBefore),
        ] where !value.isEmpty { parts.append("--\(option) \(value.asWord)") }
        parts += skills.map { "--skill \($0.asWord)" }
        if priority != .unspecified { parts.append("--priority \(priority)") }
        if priorityTo != .unspecified { parts.append("--priority-to \(priorityTo)") }
        if parent > 0 { parts.append("--parent \(parent)") }
        for (option, number) in [
            ("due-within", dueWithin), ("done-from", doneFrom), ("done-to", doneTo),
        ] {
            if let number { parts.append("--\(option) \(number)") }
        }
        for (option, minutes) in [("estimate-from", estimateFrom), ("estimate-to", estimateTo)] {
            if let minutes { parts.append("--\(option) \(Effort.text(minutes))") }
        }
        for (option, value) in [("fixed", fixed), ("milestone", milestone)] {
            if let value { parts.append(value ? "--\(option)" : "--no-\(option)") }
        }
        for (option, isChosen) in [
            ("no-due", withoutDue), ("no-start", withoutStart), ("no-estimate", withoutEstimate),
            ("overdue", overdue), ("blocked", blocked), ("in-descriptions", inDescriptions),
        ] where isChosen { parts.append("--\(option)") }
        if order != .unspecified { parts.append("--sort \(order)") }
        if reversed { parts.append("--reverse") }
        return parts.joined(separator: " ")
    }
}
