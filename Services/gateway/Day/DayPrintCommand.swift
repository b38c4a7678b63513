import ArgumentParser
import Dates
import DayPapers
import Foundation
import Messages
import Papers
import Phrases
import Pictures
import RoutineDay
import Speech

extension DayCommand {
    /// `steward day print`
    struct Print: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "print",
            abstract: "Puts a day on paper: a sheet to hang up.",
            discussion: """
                The file's extension chooses the format: .pdf, .png or .svg. With .png and .svg \
                each page is a file of its own, day-1.png, day-2.png, …

                  steward day print day.pdf
                  steward day print day.png --order --paper a5 --grey
                  steward day print next.pdf --first-then
                """)

        @Flag(help: "Only the first action and the next, instead of the whole day.")
        var firstThen = false
        @OptionGroup var sheet: SheetArguments

        func run() throws { try sheet.put(firstThen ? .firstThen : .sheet) }
    }

    /// `steward day cards`
    struct Cards: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cards",
            abstract: "Puts a day on paper: a card for each thing, to cut out.",
            discussion: """
                The file's extension chooses the format: .pdf, .png or .svg. With .png and .svg \
                each page is a file of its own. Cards show times only with --times.

                  steward day cards cards.pdf
                """)

        @Flag(help: "With the times of this day.")
        var times = false
        @OptionGroup var sheet: SheetArguments

        func run() throws {
            var sheet = sheet
            sheet.order = sheet.order || !times
            try sheet.put(.cards)
        }
    }
}

/// How a day is put on paper.
struct SheetArguments: ParsableArguments {
    @Argument(help: "The file: .pdf, .png or .svg.", completion: .file())
    var file: String
    @Option(help: "The paper: a4 or a5.")
    var paper: PaperSize = .a4
    @Flag(help: "In order, without times.")
    var order = false
    @Flag(help: "In grey, for a printer without colours.")
    var grey = false
    @Option(help: "The heading, such as a name.")
    var title = ""
    @Option(help: "The language: en, nb or sv. Default: yours.")
    var language: Language?
    @OptionGroup var target: DayCommand.Target

    private static let endings = ["pdf", "png", "svg"]

    func validate() throws {
        guard Self.endings.contains(PlanOutput.ending(of: file)) else {
            throw ValidationError("the file's extension chooses the format: .pdf, .png or .svg")
        }
        guard [.a4, .a5].contains(paper) else {
            throw ValidationError("a day is put on a4 or a5, not \(paper.rawValue)")
        }
        guard title.count <= 80 else {
            throw ValidationError("a title has at most 80 letters")
        }
    }

    /// Draws the day and writes it.
    func put(_ kind: DayPaper.Kind) throws {
        let session = try Session()
        let person = try target.person.account(session)
        let day = try session.ask(
            .routine, ReadDay(person: person, date: target.date?.text ?? ""), for: Day.self)
        let spoken = try language ?? session.language
        let pictures = try DayPictures.all(of: day) { try session.picture($0, of: person) }
        let drawn = DayPaper(
            PaperDay(day, title: title.printable, pictures, in: spoken), as: kind,
            DayPaperOptions(
                paper: paper, hasTimes: !order, isGrey: grey, language: spoken.rawValue))
        let files: [[UInt8]] =
            switch PlanOutput.ending(of: file) {
            case "pdf": [try drawn.pdf()]
            case "png": try drawn.png()
            default: drawn.svg().map { Array($0.utf8) }
            }
        try write(files, session)
    }

    private func write(_ files: [[UInt8]], _ session: Session) throws {
        let names = files.indices.map { name(of: $0, among: files.count) }
        for (bytes, name) in zip(files, names) { try OutputFile.write(bytes, to: name) }
        if target.output.json {
            return try session.printer.json(
                .files, names.map { WrittenFile(path: $0, text: nil) })
        }
        for name in names { session.printer.result("written: \(name.printable)") }
    }

    /// The file of a page: `day.png`, or `day-2.png` among several.
    private func name(of page: Int, among count: Int) -> String {
        guard count > 1 else { return file }
        let ending = (file as NSString).pathExtension
        return "\((file as NSString).deletingPathExtension)-\(page + 1).\(ending)"
    }
}

extension PaperDay {
    /// A day as printed: without what didn't fit into it.
    init(_ day: Day, title: String, _ pictures: [[UInt8]: Picture], in language: Language) {
        let time = DayTime(of: day)
        func minutes(_ instant: Int64) -> Int? {
            guard instant > 0, let time else { return nil }
            let reading = time.local.reading(at: instant)
            return Int(reading.day - time.number) * 1_440 + reading.minutes
        }
        let places = day.places.filter { day[$0].state != .leftOut }.sorted {
            (day[$0].start, $0.item, $0.step) < (day[$1].start, $1.item, $1.step)
        }
        let items = places.map { place in
            let step = day[place]
            let title = step.action?.title(in: language) ?? day.items[place.item].title
            let emoji = day.emoji(at: place)
            return Item(
                name: title.printable, emoji: emoji, picture: pictures[day.picture(at: place)],
                start: minutes(step.start), end: minutes(step.end),
                mark: step.state == .done ? .done : step.state == .skipped ? .skipped : .open)
        }
        self.init(title: title, date: CivilDate(iso: day.date), items: items)
    }
}
