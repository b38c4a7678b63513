import Foundation
import TestSupport
import TestThreads
import Testing

/// Pictures that people add, and days on paper, at the command line.
@Suite(.serialized, .waiting) struct PictureAcceptanceTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../PicturesTests/Fixtures").standardized.path

    /// A home with a routine whose first action is shown by a photo.
    private func home() throws -> Household {
        let home = try Household()
        try home.run(
            "action add 'Feed Alfred' --minutes 7 --picture \(Self.fixtures)/secret.jpg "
                + "--licence 'my own photo, 2026'")
        try home.run(
            "routine create Pets --tag morning --action 'Feed Alfred' --action 'Eat breakfast'")
        return home
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private func isIn(_ text: String, _ bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    /// What is written on a sheet in SVG, in order: a name may continue over several lines.
    private func written(on path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
            .matches(of: /<text[^>]*>([^<]*)</).map { String($0.1) }.joined(separator: " ")
    }

    /// Whether all lines, areas and texts of a drawing in SVG are grey.
    private func isGrey(_ path: String) throws -> Bool {
        let colours = String(decoding: try bytes(path), as: UTF8.self)
            .matches(of: /="#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})"/)
        guard !colours.isEmpty else { throw Complaint("there is no colour in \(path)") }
        return colours.allSatisfy { $0.1 == $0.2 && $0.2 == $0.3 }
    }

    @Test func `V11: a person's own picture loses hidden data and keeps its licence`()
        throws
    {
        let home = try home()
        #expect(isIn("SECRET", try bytes(Self.fixtures + "/secret.jpg")))
        let shown = try home.run("action picture 'Feed Alfred'")
        #expect(shown.contains("jpeg") && shown.contains("licence: my own photo, 2026"))
        let file = home.system.path("back.jpg")
        try home.run("action picture 'Feed Alfred' -o \(file)")
        let back = try bytes(file)
        #expect(!isIn("SECRET", back) && !isIn("Exif", back))
        #expect(Array(back.prefix(3)) == [0xFF, 0xD8, 0xFF])

        // A change that doesn't mention the picture keeps it, in the routine too.
        try home.run("action add 'Feed Alfred' --minutes 9")
        let own = try home.rows("action list --area own")
        #expect(own.first?["hasPicture"] as? Bool == true && own.first?["minutes"] as? Int == 9)
        try home.run("action add 'Feed Alfred' --no-picture --emoji 🐢")
        #expect(
            try home.refusal(of: "action picture 'Feed Alfred'").contains("has no picture"))
        let routine = try home.answer("routine show Pets")
        let actions = routine["actions"] as? [[String: Any]] ?? []
        #expect(actions.first?["picture"] as? String ?? "" == "")
    }

    @Test func `V11: a photo for a built-in action is shown in the routines that have it`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        try home.run(
            "action add 'Brush your teeth' --picture \(Self.fixtures)/rgb.png --licence mine")
        try home.run(
            "routine change Out --picture \(Self.fixtures)/alpha.png --licence 'drawn by Ada'")
        let morning = try home.answer("routine show Morning")
        let actions = morning["actions"] as? [[String: Any]] ?? []
        #expect((actions.first?["picture"] as? String)?.count == 64)
        #expect(actions.count == 2 && actions[1]["picture"] as? String ?? "" == "")
        let out = try home.answer("routine show Out")
        #expect((out["picture"] as? String)?.count == 64)
        try home.run("routine change Out --no-picture")
        #expect(try home.answer("routine show Out")["picture"] as? String ?? "" == "")
    }

    @Test func `V11: a file that isn't a picture, is too large or a bomb is refused`()
        throws
    {
        let home = try Household()
        let large = home.system.path("large.png")
        try Data().write(to: URL(filePath: large))
        try FileHandle(forWritingTo: URL(filePath: large)).truncate(atOffset: 100_000_000)
        let text = home.system.path("text.png")
        try "not a picture".write(toFile: text, atomically: true, encoding: .utf8)
        // The header of a JPEG claims 65,500 x 65,500 pixels.
        let bomb = home.system.path("bomb.jpg")
        var file = try bytes(Self.fixtures + "/baseline.jpg")
        let frame = try #require(Data(file).range(of: Data([0xFF, 0xC0])))
        file.replaceSubrange(
            (frame.lowerBound + 5)..<(frame.lowerBound + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
        try Data(file).write(to: URL(filePath: bomb))
        for (path, reason) in [
            (large, "more than 20 MiB"), (text, "isn't a picture in PNG or JPEG"),
            (bomb, "at most 50 million are read; save it smaller"),
            (home.system.path("nowhere.png"), "can't be read"), ("/", "can't be read"),
        ] {
            let line = "action add Cat --picture \(path) --licence mine"
            let said = try home.say(line)
            #expect(said.end != .exited(0) && said.err.contains(reason), "\(said.err)")
        }
        let unsaid = try home.refusal(of: "action add Cat --picture \(Self.fixtures)/rgb.png")
        #expect(unsaid.contains("--licence"))
        let empty = "action add Cat --picture \(Self.fixtures)/rgb.png --licence ' '"
        #expect(try home.refusal(of: empty).contains("whose picture it is"))
        #expect(!(try home.run("action list")).contains("Cat"))
    }

    @Test func `V11: the view shows the picture in blocks with its words below`() throws {
        let home = try home()
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        let view = try home.terminal("day view", columns: 80, rows: 30)
        try view.waitFor("Feed Alfred")
        for part in ["▀▀▀▀", "█"] { try view.waitFor(part) }
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
    }

    @Test(arguments: ["a4", "a5"])
    func `V12: the day is printed as a sheet, as cards, and as first and then`(paper: String)
        throws
    {
        let home = try home()
        try home.run("day plan --tag morning --appointment '12:00-13:00 Doctor'")
        let (short, long) = paper == "a4" ? (210, 297) : (148, 210)
        for (line, name) in [
            ("print", "sheet"), ("print --order --grey", "order"), ("cards", "cards"),
            ("print --first-then", "first"),
        ] {
            for (ending, begin) in [("pdf", "%PDF"), ("png", "\u{89}PNG"), ("svg", "<?xml")] {
                let file = home.system.path("\(name).\(ending)")
                let words = line.split(separator: " ", maxSplits: 1)
                let rest = words.count > 1 ? String(words[1]) : ""
                try home.run("day \(words[0]) \(file) --paper \(paper) \(rest)")
                let bytes = try bytes(file)
                #expect(bytes.starts(with: begin.unicodeScalars.map { UInt8($0.value) }), "\(file)")
                let (width, height) = name == "first" ? (long, short) : (short, long)
                let size = "width=\"\(width)mm\" height=\"\(height)mm\""
                #expect(ending != "svg" || isIn(size, bytes), "\(file)")
            }
        }
        let sheet = try written(on: home.system.path("sheet.svg"))
        #expect(sheet.contains("Feed Alfred") && sheet.contains("07:00"))
        #expect(sheet.contains("Doctor"))
        #expect(isIn("data:image/png", try bytes(home.system.path("sheet.svg"))))
        #expect(try !isGrey(home.system.path("sheet.svg")))
        #expect(try isGrey(home.system.path("order.svg")))
        let first = try written(on: home.system.path("first.svg"))
        #expect(first.contains("First") && first.contains("Then"))
        #expect(first.contains("Feed Alfred") && first.contains("Eat breakfast"))
        #expect(!first.contains("Doctor"))
        let order = try written(on: home.system.path("order.svg"))
        #expect(order.contains("Feed Alfred") && !order.contains("07:00"))
        let cards = try written(on: home.system.path("cards.svg"))
        #expect(cards.contains("Eat breakfast") && !cards.contains("07:00"))
        let swedish = home.system.path("swedish.svg")
        try home.run("day print \(swedish) --language sv")
        #expect(try written(on: swedish).contains("Äta frukost"))
    }

    @Test func `V12: another size, another kind of file and a day without a plan are refused`()
        throws
    {
        let home = try Household()
        let file = home.system.path("day.pdf")
        #expect(try home.refusal(of: "day print \(file)").contains("there is no plan"))
        #expect(try home.refusal(of: "day print \(file) --paper a3").contains("a4 or a5"))
        #expect(try home.refusal(of: "day cards day.docx").contains(".pdf, .png or .svg"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `V11: only a person and their carers see a picture, and it survives a kill`()
        throws
    {
        let home = try Household(hasAccounts: true)
        try home.person("ada")
        try home.person("kari")
        try home.run(
            "action add Turtle --picture \(Self.fixtures)/rgb.png --licence mine", device: "ada")
        #expect(try home.run("action picture Turtle", device: "ada").contains("png"))
        #expect(try home.say("action picture Turtle --for ada", device: "kari").end == .exited(1))
        try home.run("carer add kari ada", device: "ada")
        #expect(try home.run("action picture Turtle --for ada", device: "kari").contains("png"))
        home.killService()
        try home.startService()
        #expect(try home.run("action picture Turtle", device: "ada").contains("licence: mine"))
    }
}
