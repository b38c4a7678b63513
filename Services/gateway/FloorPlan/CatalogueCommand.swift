import AidCatalogue
import ArgumentParser
import Foundation
import Messages
import PlanSpeech
import Speech
import Terminal

/// `steward catalogue`
struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "The assistive products that can be placed in plans.",
        discussion: """
            Save the answer to a search of the Norwegian catalogue of assistive technology \
            (OpenSearch, POST /products/_search), or its products one per line, and import it with \
            “steward catalogue import”. Sizes are never rounded down; estimates are marked with ~ \
            and give their reason.
            """,
        subcommands: [Import.self, Find.self, Show.self])

    /// `steward catalogue import`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports new products and newer states of existing ones.",
            discussion: """
                A file that is not valid JSON changes nothing. A product that can't be read is \
                refused and reported; the others are imported. Repeating an import changes \
                nothing, so simply repeat one that was interrupted. This is for administrators.
                """)

        @Argument(
            help: "Files: search answers, lists, or one product per line; - for standard input.",
            completion: .file(extensions: ["json", "ndjson", "jsonl"]))
        var files: [String]
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !files.isEmpty else { throw ValidationError("name the files to import") }
            guard files.filter({ $0 == "-" }).count < 2 else {
                throw ValidationError("the standard input can be read only once")
            }
        }

        func run() throws {
            let session = try Session()
            let files = try files.map(CatalogueFile.init)
            let copy = try CatalogueImport(session)
            Interruption.watch()
            try copy.check(files)
            try copy.run(files)
            if output.json { return try session.printer.json(.imports, [copy.summary]) }
            for one in copy.summary.refusals.prefix(20) {
                session.printer.remark(
                    "line \(one.line): \(one.name.isEmpty ? "" : "“\(one.name.printable)”: ")"
                        + one.reason.printable)
            }
            if copy.summary.refused > 20 {
                session.printer.remark("… and \(copy.summary.refused - 20) more")
            }
            session.printer.result(copy.summary.words)
        }
    }

    /// `steward catalogue find`
    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find",
            abstract: "Finds products by words, class, maker or number.")

        @Argument(help: "Beginnings of words of the name, maker, number or class, in any order.")
        var words: [String] = []
        @Option(
            help: ArgumentHelp("The class: the beginning of its ISO 9999 code.", valueName: "code"))
        var iso: String = ""
        @Option(help: "The beginning of a word of the maker.")
        var maker: String = ""
        @Option(help: "The whole number, the catalogue's or the supplier's.")
        var number: String = ""
        @Flag(help: "Include products that are no longer supplied.")
        var inactive = false
        @Option(help: "The maximum number of products, up to 500.")
        var limit: UInt32 = 20
        @Option(help: "How many to skip.")
        var from: UInt32 = 0
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .plan,
                FindProducts(
                    text: words.joined(separator: " "),
                    isoCode: iso.filter { $0 != " " && $0 != "." }, maker: maker, number: number,
                    limit: limit, inactiveToo: inactive, from: from),
                for: Products.self)
            if output.json {
                return try session.printer.json(
                    .products, reply.products, beside: ["matching": reply.matching])
            }
            guard !reply.products.isEmpty else {
                return session.printer.remark(
                    reply.matching > 0
                        ? "there are \(reply.matching); skip fewer with --from"
                        : "there is none; use fewer or shorter words, or import products: "
                            + "steward catalogue import FILE")
            }
            var table = TextTable([
                .id("NUMBER"), .text("NAME"), .text("MAKER"), .text("CLASS"),
                .text("WIDTH × DEPTH"), .text(""),
            ])
            for one in reply.products {
                table.add([
                    .init(one.number.isEmpty ? one.id : one.number), .init(one.name),
                    .init(one.maker), .init(one.isoCode), .init(one.footprint),
                    .init(one.standing, .dim),
                ])
            }
            session.printer.table(table)
            let shown = UInt64(from) + UInt64(reply.products.count)
            if shown < reply.matching {
                session.printer.remark("\(reply.matching) match; go on with --from \(shown)")
            }
        }
    }

    /// `steward catalogue show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a product: its measures, which of them are estimates, and why.")

        @Argument(help: "The product's number, the catalogue's or the supplier's, or its id.")
        var number: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let product = try session.ask(
                .plan, ReadProduct(product: number), for: Product.self)
            if output.json { return try session.printer.json(.products, [product]) }
            let printer = session.printer
            printer.result(product.name.printable)
            let facts = [
                ("series", product.title == product.name ? "" : product.title),
                ("number", product.number), ("supplier's number", product.supplierNumber),
                ("id", product.id), ("maker", product.maker),
                (
                    "class",
                    product.isoTitle.isEmpty
                        ? product.isoCode : "\(product.isoCode) \(product.isoTitle)"
                ), ("stands", product.standing),
                (
                    "changed",
                    product.updated == 0 ? "" : try session.siteClock.fullMoment(product.updated)
                ),
            ].filter { !$0.1.isEmpty }
            for (name, value) in facts {
                printer.result("  \((name + ":").padded(to: 19))\(value.printable)")
            }
            let table = product.measures
            if !table.rows.isEmpty { printer.table(table) }
            for note in product.notes { printer.result("note: \(note.printable)") }
        }
    }
}

extension Product {
    /// Its footprint in centimetres; `~` marks estimates.
    fileprivate var footprint: String {
        let sizes = [width, depth].map { $0?.words ?? "?" }
        return sizes == ["?", "?"] ? "" : sizes.joined(separator: " × ") + " cm"
    }

    /// Remarks for whoever wants to place the product.
    fileprivate var standing: String {
        var words = accessory ? ["accessory or part"] : []
        if state == .inactive { words.append("no longer supplied") }
        return words.joined(separator: ", ")
    }

    /// Its measures with where they come from.
    fileprivate var measures: TextTable {
        var table = TextTable([
            .text("MEASURE"), .number("LEAST"), .number("MOST"), .text(""), .text("FROM"),
        ])
        let all: [(String, ProductMeasure?)] = [
            ("width", width), ("depth", depth), ("height", height),
            ("turning diameter", turningDiameter), ("room besides", clearance),
        ]
        for (name, measure) in all {
            guard let measure else { continue }
            let isGuess = !measure.guess.isEmpty
            let source = [measure.label, isGuess ? "guessed: \(measure.guess)" : ""]
            table.add([
                .init(name), .init(measure.least.map(Wording.centimetres) ?? ""),
                .init(measure.most.map(Wording.centimetres) ?? ""),
                .init(isGuess ? "~" : "", .yellow),
                .init(source.filter { !$0.isEmpty }.joined(separator: "; ")),
            ])
        }
        return table
    }
}

extension ProductMeasure {
    /// The value that counts when the product has to fit, in centimetres.
    fileprivate var words: String {
        guard let size = most ?? least else { return "?" }
        let isGuess = !guess.isEmpty || most == nil
        return (isGuess ? "~" : "") + Wording.centimetres(size).dropLast(3)
    }
}

extension Wording {
    /// Millimetres in words: `66.5 cm`.
    static func centimetres(_ millimetres: UInt32) -> String {
        let rest = millimetres % 10
        return "\(millimetres / 10)\(rest == 0 ? "" : ".\(rest)") cm"
    }
}
