import ArgumentParser
import Messages
import Speech
import Terminal

/// `steward part`
struct PartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "part", abstract: "Spare parts: what there is and where to find it.",
        subcommands: [Find.self, Put.self, Remove.self])

    /// `steward part find`
    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find",
            abstract: "Finds spare parts by words of their name, number, place or equipment.")

        @Argument(help: "The words. Default: all parts.")
        var words: [String] = []
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .checklist,
                FindSpareParts(
                    site: try place.site(session).id, text: words.joined(separator: " ")),
                for: SpareParts.self)
            if output.json {
                return try session.printer.json(
                    .parts, reply.parts, beside: ["leftOut": reply.leftOut])
            }
            guard !reply.parts.isEmpty else {
                return session.printer.remark("nothing was found; keep one: steward part put")
            }
            session.printer.table(Self.table(reply.parts))
            if reply.leftOut > 0 {
                session.printer.remark("\(reply.leftOut) more were found; give more words")
            }
        }

        static func table(_ parts: [SparePart]) -> TextTable {
            var table = TextTable([
                .text("PART"), .text("NUMBER"), .number("COUNT"), .text("WHERE"), .text("FITS"),
            ])
            for part in parts {
                table.add([
                    .init(part.name), .init(part.number),
                    .init("\(part.count)", part.count == 0 ? .red : nil), .init(part.place),
                    .init(part.fits.joined(separator: ", ")),
                ])
            }
            return table
        }
    }

    /// `steward part put`
    struct Put: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Adds a spare part, or changes the one of the same name and number.")

        @Argument(help: "Its name.")
        var name: String
        @Option(name: .customLong("in"), help: "Where it is kept.")
        var location: String
        @Option(help: "The maker's or supplier's number.")
        var number: String = ""
        @Option(help: "How many there are. Default: as many as before; of a new part 1.")
        var count: UInt32?
        @Option(
            help: "Equipment that it fits; may be given several times; or none. Default: as before."
        )
        var fits: [String] = []
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let part = SparePart(
                site: try place.site(session).id, name: name, number: number, place: location,
                count: count ?? 1, fits: fits.filter { $0 != "none" })
            let reply = try session.ask(
                .checklist,
                PutSparePart(part: part, keepsCount: count == nil, keepsFits: fits.isEmpty),
                for: SparePart.self, repeating: repeating)
            if output.json { return try session.printer.json(.parts, [reply]) }
            session.printer.table(Find.table([reply]))
        }
    }

    /// `steward part remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a spare part.")

        @Argument(help: "Its name or its number.")
        var part: String
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .checklist, RemoveSparePart(site: try place.site(session).id, part: part),
                for: SparePart.self, repeating: repeating)
            if output.json { return try session.printer.json(.parts, [reply]) }
            session.printer.result("removed \(reply.name.printable)")
        }
    }
}
