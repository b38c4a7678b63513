import ArgumentParser
import Bus
import Foundation
import Messages
import ShiftClient
import ShiftLog
import ShiftPapers
import Speech
import Terminal

/// `steward archive`
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "The archive of shifts: find, show, export, verify.",
        subcommands: [Find.self, Show.self, Export.self, Photos.self, Verify.self, Head.self])

    /// `steward archive find`
    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find",
            abstract: "Finds ended shifts by date, manager, or words in their texts.")

        @Argument(help: "Words in notes, to-dos or tasks that were not ok.")
        var words: [String] = []
        @Option(help: "A part of the manager's name.")
        var manager: String = ""
        @Option(help: "From this local date on: today, yesterday, or e.g. 2026-11-01.")
        var from: DayArgument?
        @Option(help: "Up to this local date.")
        var to: DayArgument?
        @Flag(help: "All sites that you may see.")
        var everySite = false
        @Option(help: "The maximum number of shifts, up to 200.")
        var limit: UInt32 = 50
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            try ListLimit.validate(limit, most: 200)
            try DayArgument.validate(from: from, to: to)
            if everySite, place.named != nil {
                throw ValidationError("--every-site and --site can't be used together")
            }
        }

        func run() throws {
            let session = try Session()
            let found = try session.shifts(
                FindShifts(
                    site: everySite ? "" : try place.site(session).id, manager: manager,
                    from: from?.iso(session) ?? "", to: to?.iso(session) ?? "",
                    text: words.joined(separator: " "), endedOnly: true, limit: limit))
            if output.json {
                return try session.printer.json(
                    .shifts, found.shifts.map { FoundShift.Report($0) },
                    beside: ["more": found.more])
            }
            guard !found.shifts.isEmpty else {
                return session.printer.remark("no such shift is in the archive")
            }
            session.printer.table(FoundShift.table(found.shifts))
            if found.more {
                session.printer.remark("there are older ones: --limit, up to 200, or --to")
            }
        }
    }

    /// `steward archive show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a shift's lists as they were filled out: who, when, which version.")

        @Argument(help: "The shift's id, or its unique beginning.")
        var shift: String
        @Option(help: "Only this list: its number, its name or the beginning of it.")
        var list: String?
        @Flag(help: "Only the daily security round.")
        var security = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let state = try ShiftState.read(shift, session)
            let sheet = ArchiveSheet(state, securityOnly: security)
            let lists =
                try list.map { [try ShiftNames(state).list($0)] } ?? state.lists.templates
            if output.json {
                return try session.printer.json(
                    .tasks, lists.flatMap { sheet.reports(of: $0) },
                    beside: ["remarks": ShiftRecord(state).remarks])
            }
            let printer = session.printer
            printer.result(sheet.headline)
            for (title, table) in lists.compactMap({ sheet.table(of: $0) }) {
                printer.result("")
                printer.result(StyledLine(title, .bold))
                printer.table(table)
            }
            guard !security, list == nil else { return }
            if let todos = sheet.todos {
                printer.result("")
                printer.table(todos)
            }
            if let travelPaths = sheet.travelPaths {
                printer.result("")
                printer.result(travelPaths)
            }
            for line in sheet.latecomers + sheet.contradictions { printer.result(line) }
        }
    }

    /// `steward archive export`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Exports a shift as text, HTML, PDF, JSON or CSV.",
            discussion: """
                The papers are the filled lists, the to-dos, the travel paths, the sales report, \
                and what came late or is contradictory. JSON has everything, CSV a row for each \
                task.
                """)

        @Argument(help: "The shift's id, or its unique beginning.")
        var shift: String
        @Flag(help: "Only the daily security round.")
        var security = false
        @Flag(help: "Everything as JSON.")
        var json = false
        @Flag(help: "A row for each task, as CSV.")
        var csv = false
        @OptionGroup var paper: PaperOptions

        func validate() throws {
            guard [json, csv, paper.html, paper.pdf].count(where: { $0 }) < 2 else {
                throw ValidationError("give one form: --html, --pdf, --json or --csv")
            }
        }

        func run() throws {
            let session = try Session()
            let state = try ShiftState.read(shift, session)
            if json {
                return try paper.write(
                    Array((try JSONList(.shifts, [ShiftRecord(state)]).text() + "\n").utf8),
                    session.printer)
            }
            if csv { return try paper.write(Array(ShiftRecord(state).csv.utf8), session.printer) }
            let end = state.isOpen ? Int64.max : state.shift.ended
            let answers = state.photosOfLists
            let reports = security ? [] : state.todos.flatMap(\.photos)
            let client = try session.client(.checklist)
            let photos = try paper.pictures(of: answers + reports, session.printer) {
                try client.file(of: $0, shift: state.shift.id)
            }
            // The photos of answers are shown with the lists.
            let reported = photos.filter { !Set(answers.map(\.checksum)).contains($0.key) }
            let lists = state.lists.templates.compactMap {
                state.listPaper($0.id, securityRoundAlone: security, photos: photos)
            }
            let rest =
                security
                ? []
                : state.todoPapers(photos: reported)
                    + (state.isOpen
                        ? [] : [state.travelPathPaper(at: end), state.salesPaper(at: end)])
                    + [state.latePaper].compactMap { $0 }
            try paper.put(lists + rest, session.printer)
        }
    }

    /// `steward archive head`
    struct Head: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "head",
            abstract: "Prints a signed statement of how far the archive reaches.",
            discussion: """
                Keep it elsewhere, e.g. steward archive head > head-2026-11.json; later steward \
                archive verify --head FILE shows whether records were cut off or rewritten.
                """)

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let head = try session.ask(
                .checklist, ReadArchiveHead(site: try place.site(session).id), for: ArchiveHead.self
            )
            try session.printer.json(.archiveHeads, [head])
        }
    }

    /// `steward archive verify`
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verifies that no record of the archive was altered, and names the first.",
            discussion: """
                It reads every record and computes the chain itself, and asks whether every photo \
                is there and has its size; with --photos it reads the photos too.
                """)

        @Option(
            name: .customLong("head"),
            help: "A file that steward archive head has written; may be given several times.")
        var heads: [String] = []
        @Flag(help: "Also read every photo and compute its SHA-256.")
        var photos = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let site = try place.site(session)
            let heads = try heads.map(Self.head)
            let result = try ArchiveVerification(
                session, site: site.id, heads: heads, withPhotos: photos
            ).run()
            if output.json { return try session.printer.json(.verifications, [result]) }
            session.printer.result(
                "the archive of \(site.name.printable) is whole: "
                    + Wording.count(result.records, "record") + " verified")
            if result.beginsAfter > 0 {
                session.printer.remark(
                    "it begins after record \(result.beginsAfter): older records were deleted, as "
                        + "the site's settings say")
            }
            if heads.isEmpty {
                session.printer.remark(
                    "without --head, records that were cut off at the end go unnoticed")
            }
        }

        private static func head(_ path: String) throws -> ArchiveHead {
            let cure = "steward archive head prints one"
            let bytes = try InputFile.bytes(path, atMost: 1 << 20, cure: cure)
            do {
                return try JSONDecoder().decode(KeptHead.self, from: Data(bytes)).head
            } catch {
                throw Failure(.refused, "\(path) is not a head", advice: cure)
            }
        }
    }
}

/// A statement of how far an archive reached, read from a file: in a list, or bare, as earlier
/// versions printed it.
private struct KeptHead: Decodable {
    let head: ArchiveHead

    private enum CodingKeys: CodingKey { case archiveHeads }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.archiveHeads) else {
            head = try ArchiveHead(from: decoder)
            return
        }
        let heads = try container.decode([ArchiveHead].self, forKey: .archiveHeads)
        guard let first = heads.first, heads.count == 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .archiveHeads, in: container, debugDescription: "give one head")
        }
        head = first
    }
}
