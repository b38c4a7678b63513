import ArgumentParser
import Dates
import Messages
import ProjectLanguage
import ProjectNetwork
import ProjectRecord
import Speech
import Terminal

/// `steward project version`
struct ProjectVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Issues that are delivered together, and their progress.",
        subcommands: [List.self, Add.self, Change.self, Remove.self])

    /// The options of a version.
    struct Traits: ParsableArguments {
        @Option(help: "When it should be delivered; none for no date.")
        var due: IssueDateArgument?
        @Option(help: "More about it.")
        var description: String?

        /// Whether none of the options is given.
        var isEmpty: Bool { due == nil && description == nil }

        func apply(to version: inout ProjectVersion, _ session: Session) throws {
            if let due { version.due = try due.iso(session) }
            if let description { version.description = description }
        }
    }

    /// `steward project version add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a version.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { _, session in
                var version = ProjectVersion(name: name)
                try traits.apply(to: &version, session)
                return [.keep(.version(version))]
            }
        }
    }

    /// `steward project version change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes a version; options that aren't given change nothing.")

        @Argument(help: "Its name or number.")
        var name: String
        @Option(help: "Its new name.")
        var rename: String?
        @Flag(inversion: .prefixedNo, help: "Whether it is closed to issues.")
        var closed: Bool?
        @OptionGroup var traits: Traits
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard rename != nil || closed != nil || !traits.isEmpty else {
                throw ValidationError("say what to change; see --help")
            }
        }

        func run() throws {
            try options.edit { read, session in
                let before = ProjectVersion(try read.version(name))
                var version = before
                if let rename { version.name = rename }
                if let closed { version.isClosed = closed }
                try traits.apply(to: &version, session)
                return version == before ? [] : [.keep(.version(version))]
            }
        }
    }

    /// `steward project version remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a version that no issue is planned for.")

        @Argument(help: "Its name or number.")
        var name: String
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, _ in
                let number = UInt32(clamping: try read.version(name).id)
                return [.remove(.version(ProjectVersion(number: number)))]
            }
        }
    }
}

/// `steward project baseline`
struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline", abstract: "Dates that were saved under a name, to compare with.",
        subcommands: [List.self, Keep.self, Compare.self, Remove.self])

    /// `steward project baseline list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the baselines.")

        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let all = read.record.baselines.values.sorted { $0.id < $1.id }
            if output.json {
                return try session.printer.json(.baselines, all.map { PlanBaseline($0) })
            }
            guard !all.isEmpty else {
                return session.printer.remark(
                    "there is none; keep one: steward project baseline keep NAME")
            }
            let network = try read.record.network()
            var table = TextTable([
                .number("NO"), .text("BASELINE"), .time("KEPT"), .number("ISSUES"),
                .number("DAYS LATER"),
            ])
            for kept in all {
                let slip = kept.baseline.slippageOfAll(in: network)
                table.add([
                    "\(kept.id)", .init(kept.baseline.name), .init(kept.day.iso),
                    "\(kept.baseline.spans.count)", .init(slip.map { "\($0)" } ?? ""),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward project baseline keep`
    struct Keep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep",
            abstract: "Keeps the dates that the issues have now.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { _, _ in [ProjectAction(action: .baseline(name))] }
        }
    }

    /// How far an issue has moved.
    private struct Slip: Encodable {
        let issue: Int
        let subject: String
        let before: [String: String]
        let now: [String: String]
        let daysLater: Int?
    }

    /// `steward project baseline compare`
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Shows what has moved since a baseline, in working days.")

        @Argument(help: "Its name or number.")
        var name: String
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let kept = try read.baseline(name)
            let network = try read.record.network()
            let slips = kept.baseline.slippages(in: network)
            func dates(_ span: Span) -> [String: String] {
                ["start": span.start?.iso ?? "", "due": span.due?.iso ?? ""]
            }
            let all = slips.map {
                Slip(
                    issue: $0.issue, subject: read.record.issues[$0.issue]?.subject ?? "",
                    before: dates($0.before), now: dates($0.now), daysLater: $0.due)
            }
            let end = kept.baseline.slippageOfAll(in: network)
            let added = kept.baseline.added(in: network)
            let addedUntil = added.compactMap(\.span.due).max()
            let removed = kept.baseline.removed(in: network)
            if output.json {
                var beside: [String: any Encodable] = [
                    "added": added.count, "addedUntil": addedUntil?.iso ?? "", "removed": removed,
                ]
                if let end { beside["daysLater"] = end }
                return try session.printer.json(.slippages, all, beside: beside)
            }
            Self.show(all, since: name, session)
            let isSame = added.isEmpty && removed == 0
            if let end, !all.isEmpty { session.printer.remark(Self.words(end, isSame: isSame)) }
            if !added.isEmpty {
                let until = addedUntil.map { ", due by \($0.iso)" } ?? ""
                let count = Wording.count(added.count, "issue")
                session.printer.remark("added since: \(count)\(until)")
            }
            if removed > 0 {
                session.printer.remark("removed since: \(Wording.count(removed, "issue"))")
            }
        }

        private static func show(_ all: [Slip], since name: String, _ session: Session) {
            guard !all.isEmpty else {
                return session.printer.remark("nothing has moved since “\(name.printable)”")
            }
            var table = TextTable([
                .number("NO"), .text("ISSUE"), .time("WAS DUE"), .time("IS DUE"),
                .number("DAYS LATER"),
            ])
            for slip in all {
                table.add([
                    "#\(slip.issue)", .init(slip.subject), .init(slip.before["due"] ?? ""),
                    .init(slip.now["due"] ?? ""), .init(slip.daysLater.map { "\($0)" } ?? ""),
                ])
            }
            session.printer.table(table)
        }

        /// By how many working days the end has moved. `isSame` says that no issue was added or
        /// removed since, so that all of them count.
        private static func words(_ slip: Int, isSame: Bool) -> String {
            let end = "the end of \(isSame ? "all" : "the issues that are in both")"
            guard slip != 0 else { return "\(end) has not moved" }
            let days = Wording.count(slip.magnitude, "day")
            return "\(end) is \(days) \(slip > 0 ? "later" : "sooner")"
        }
    }

    /// `steward project baseline remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a baseline.")

        @Argument(help: "Its name or number.")
        var name: String
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            try options.edit { read, _ in
                let number = UInt32(clamping: try read.baseline(name).id)
                return [.remove(.baseline(PlanBaseline(number: number)))]
            }
        }
    }
}
