import Foundation
import HTTPExchange
import Messages
import Pictures
import TestSupport
import TestThreads
import Testing

/// The board as a picture, for displays without a browser. `BOARD_PICTURES=folder` keeps some of
/// them.
@Suite(.serialized, .waiting) struct BoardPictureTests {
    private let lobby: Lobby
    private let cookie: String

    init() throws {
        lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        cookie = try lobby.logIn("kari")
    }

    /// The path of the picture of a site, with its key.
    private func path(of site: String) throws -> String {
        let page = try lobby.ask("GET", "/log-ins", cookie: cookie).body
        let option = try #require(
            page.components(separatedBy: "<option value=\"").first { $0.contains(">\(site)<") })
        let id = try #require(option.split(separator: "\"").first)
        let made = try lobby.ask("POST", "/log-ins/picture", cookie: cookie, form: "site=\(id)")
        #expect(made.status == 200)
        let address = try #require(made.body.firstMatch(of: /(\/board\/[^<]+)<\/dd>/)?.1)
        return String(address).replacing("&amp;", with: "&")
    }

    private func keep(_ answer: Lobby.Answer, as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["BOARD_PICTURES"] else { return }
        try Data(answer.bytes).write(to: URL(filePath: "\(folder)/\(name).png"))
    }

    @Test func `a display gets the board, and another picture only when something has changed`()
        throws
    {
        let path = try path(of: "Harbour")
        let first = try lobby.ask("GET", path)
        #expect(first.status == 200)
        #expect(first.header("Content-Type") == "image/png")
        #expect(first.bytes.count <= 30_000)
        let picture = try Picture(preparing: first.bytes)
        #expect((picture.width, picture.height) == (800, 480))
        // One bit per pixel, without colours.
        #expect(first.bytes[24..<26] == [1, 0])
        // The picture may change between two requests, when a quarter of an hour ends.
        try eventually("the display has it") {
            let tag = try lobby.ask("GET", path).header("ETag") ?? ""
            let again = try lobby.ask("GET", path, ["If-None-Match: \(tag)"])
            return again.status == 304 && again.bytes.isEmpty
        }

        try lobby.command("todo", "add", "Tap drips")
        try eventually("it shows the to-do") {
            let now = try lobby.ask("GET", path)
            return now.status == 200 && now.header("ETag") != first.header("ETag")
        }
        try keep(try lobby.ask("GET", path), as: "to-do")
    }

    @Test func `a picture has the size and the colours that the display asks for`() throws {
        let path = try path(of: "Harbour").replacing("width=800", with: "width=1280")
        // The bits of a pixel that are asked for, and the depth and the kind of colours of a PNG.
        let forms: [(bits: Int, depth: UInt8, kind: UInt8)] = [(1, 1, 0), (8, 8, 0), (24, 8, 2)]
        for (bits, depth, kind) in forms {
            let answer = try lobby.ask("GET", path.replacing("bits=1", with: "bits=\(bits)"))
            #expect(answer.bytes[24..<26] == [depth, kind], "\(bits)")
            // The width and the height, which are near the beginning of a PNG.
            #expect(answer.bytes[16..<24] == [0, 0, 5, 0, 0, 0, 1, 0xE0], "\(bits)")
            _ = try Picture(preparing: answer.bytes)
            try keep(answer, as: "bits-\(bits)")
        }
    }

    @Test func `a size that no display has is refused`() throws {
        let path = try path(of: "Harbour")
        for change in [
            "width=199", "width=1921", "width=x", "width=9223372036854775808", "height=119",
            "height=99999", "bits=2", "bits=-1",
        ] {
            let name = String(change.prefix { $0 != "=" })
            let changed = path.replacing(/(\w+)=(\d+)/) { match in
                match.1 == name ? change : String(match.0)
            }
            try #require(changed != path, "\(change)")
            let answer = try lobby.ask("GET", changed)
            #expect(answer.status == 400, "\(change)")
            #expect(answer.body.contains("200 to 1920"), "\(change)")
        }
    }

    @Test func `a key opens the picture of its board and nothing else, until it is ended`() throws {
        try lobby.command("site", "add", "Hill", "--zone", "Europe/Berlin")
        let path = try path(of: "Harbour")
        #expect(try lobby.ask("GET", path).status == 200)
        let key = try #require(path.firstMatch(of: /key=([0-9a-f]{64})$/)?.1)
        for page in ["/", "/log-ins", "/board/Harbour", "/shift/Harbour", "/alerts"] {
            let answer = try lobby.ask("GET", page, cookie: "steward=\(key)")
            #expect(answer.status == 303, "\(page)")
            #expect(answer.header("Location")?.hasPrefix("/login") == true, "\(page)")
        }
        let hill = try self.path(of: "Hill")
        let stolen = hill.replacing(/key=.*/, with: "key=\(key)")
        #expect(try lobby.ask("GET", stolen).status == 401)
        let guessed = path.replacing(key, with: String(repeating: "0", count: 64))
        #expect(try lobby.ask("GET", guessed).status == 401)
        #expect(try lobby.ask("GET", path.replacing(/&key=.*/, with: "&key=")).status == 401)

        let page = try lobby.ask("GET", "/log-ins", cookie: cookie).body
        let row = try #require(
            page.components(separatedBy: "<li").first { $0.contains("Harbour.png") })
        let session = try #require(row.firstMatch(of: /\/log-ins\/([^\/"]+)\/end/)?.1)
        let ended = try lobby.ask(
            "POST", "/log-ins/\(session)/end", cookie: cookie, form: "")
        #expect(ended.status == 303)
        try eventually("the key is no longer valid") { try lobby.ask("GET", path).status == 401 }
        #expect(try lobby.ask("GET", hill).status == 200)
    }

    @Test func `a picture says that the service can't be reached, in place of an old one`() throws {
        let path = try path(of: "Harbour")
        lobby.killChecklists()
        let without = try lobby.ask("GET", path)
        try lobby.startChecklists()
        // A busy service may answer too late for the first one.
        var before = without
        try eventually("it has the board") {
            before = try lobby.ask("GET", path)
            return before.status == 200 && before.header("ETag") != without.header("ETag")
        }
        lobby.killChecklists()
        let after = try lobby.ask("GET", path)
        #expect(after.status == 200)
        #expect(after.header("ETag") != before.header("ETag"))
        try keep(after, as: "unreachable")
    }
}
