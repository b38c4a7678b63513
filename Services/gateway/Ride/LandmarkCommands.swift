import ArgumentParser
import Bus
import Foundation
import Messages
import RideSources
import Speech
import Terminal

/// `steward transit landmarks` and the commands below it.
struct LandmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landmarks",
        abstract: "Landmarks to announce on rides: import, list and remove them.",
        discussion: """
            A passenger chooses the types to be announced: steward transit settings --landmarks \
            museum,castle.
            """,
        subcommands: [Import.self, List.self, Remove.self])

    /// `steward transit landmarks import`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports landmarks from a file, or replaces a set of them.",
            discussion: """
                The file is GeoJSON, OpenStreetMap's XML or PBF, or CSV with the columns \
                name,type,latitude,longitude,text,link. From OpenStreetMap's data it reads name, \
                description, website and the tags tourism, historic, amenity, leisure, natural and \
                shop.
                """)

        @Argument(help: "The file.", completion: .file())
        var path: String
        @Option(
            help: "The name of the set: letters, digits, - and _. Default: the file's name.")
        var set: FeedName?
        @Option(help: "The type of all of them, whatever the file says.")
        var type: String?
        @OptionGroup var output: OutputOptions

        /// How many are sent at a time: even with the longest texts they fit into one message.
        private static let part = 150

        func run() throws {
            let session = try Session()
            let plain = URL(filePath: path).deletingPathExtension().path
            guard let name = set ?? FeedName(fileAt: plain) else {
                throw Failure(
                    .usage, "the file's name can't be the name of a set",
                    advice: "choose one with --set NAME")
            }
            let file = try read()
            var kept = LandmarkSet()
            let id = UUID().uuidString
            let parts = stride(from: 0, to: file.landmarks.count, by: Self.part)
            for (number, begin) in parts.enumerated() {
                let end = min(begin + Self.part, file.landmarks.count)
                kept = try session.ask(
                    .transitAlert,
                    PutLandmarks(
                        set: name.text, part: UInt32(number),
                        landmarks: Array(file.landmarks[begin..<end]),
                        last: end == file.landmarks.count, importId: id),
                    for: LandmarkSet.self)
            }
            guard !output.json else { return try session.printer.json(.landmarkSets, [kept]) }
            session.printer.result(
                "\(kept.name): \(Wording.count(kept.landmarks, "landmark")), "
                    + kept.types.map(\.printable).joined(separator: ", "))
            if file.skipped > 0 {
                session.printer.remark(
                    "steward: \(file.skipped) left out because they have no name or no place")
            }
        }

        private func read() throws -> LandmarkFile {
            let bytes = try InputFile.bytes(
                path, atMost: LandmarkFile.largest,
                cure: "leave out types that nobody wants to hear about")
            do {
                return try LandmarkFile(bytes, type: type.map(LandmarkFile.typeName))
            } catch {
                throw Failure(
                    .refused, "\(path)\(error.line > 0 ? ":\(error.line)" : "") \(error.reason)",
                    advice: error.cure)
            }
        }
    }

    /// `steward transit landmarks list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the sets of landmarks.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(.transitAlert, ListLandmarks(), for: LandmarkSets.self)
            try LandmarkCommand.show(reply, session, output)
        }
    }

    /// `steward transit landmarks remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a set of landmarks.")

        @Argument(help: "The name of the set.")
        var set: FeedName
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .transitAlert, RemoveLandmarks(set: set.text), for: LandmarkSets.self,
                repeating: repeating)
            try LandmarkCommand.show(reply, session, output)
        }
    }

    private static func show(
        _ reply: LandmarkSets, _ session: Session, _ output: OutputOptions
    ) throws {
        guard !output.json else { return try session.printer.json(.landmarkSets, reply.sets) }
        guard !reply.sets.isEmpty else {
            return session.printer.remark(
                "there are no landmarks; import some: steward transit landmarks import FILE")
        }
        let clock = try session.siteClock
        var table = TextTable([
            .text("SET"), .number("LANDMARKS"),
            .time(clock.title("IMPORTED", of: reply.sets.map(\.imported))), .text("TYPES"),
        ])
        for set in reply.sets {
            table.add([
                .init(set.name, .bold), "\(set.landmarks)",
                .init(set.imported == 0 ? "" : clock.moment(set.imported)),
                .init(set.types.joined(separator: " ")),
            ])
        }
        session.printer.table(table)
    }
}
