import Bus
import Checksum
import Foundation
import Messages
import Pictures
import TestSupport
import TestThreads
import Testing

/// Taking and viewing photos on a phone, in Chromium. `PHOTO_PICTURES=folder` keeps pictures of the
/// pages.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct PhotoBrowserTests {
    private static let folder = ProcessInfo.processInfo.environment["PHOTO_PICTURES"]
    private static let list = """
        checklist: Goods in
        kind: pre-shift
        day-parts: [day]
        area: kitchen
        priority: immediate
        sections:
          - section: Delivery
            tasks:
              - task: Delivery as it came
                answer: photo
              - task: Floor
        """
    /// A list opens at the first task that nobody has marked.
    private static let previous = ".small button:first-child"
    private let browser: Browser
    private let lobby: Lobby

    init() throws {
        browser = try Browser()
        lobby = try Lobby()
        try lobby.command("site", "add", "Harbour", "--zone", "Europe/Berlin")
        try lobby.importList(Self.list)
        try lobby.command("shift", "start", "day")
        try lobby.add("kari", .siteManager)
    }

    /// Opens the list on a phone.
    private func begin(_ name: String = "phone", locale: String = "en-GB") throws -> Browser.Page {
        let profile = lobby.system.path("browser-\(name)")
        let phone = try browser.begin(name, profile: profile, ["locale": locale])
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        return phone
    }

    /// A photo in a file, as a camera stores it.
    private func camera(_ number: UInt8) throws -> String {
        let path = lobby.system.path("camera-\(number).jpg")
        try Data(CameraPhoto.upright(number)).write(to: URL(filePath: path))
        return path
    }

    /// The photos that the marks of a shift refer to, mark by mark.
    private func photos(of shift: String) throws -> [[Photo]] {
        try lobby.operations(of: shift).compactMap { operation in
            guard case .mark(let mark) = operation.change,
                case .photos(let photos) = mark.answer?.value
            else { return nil }
            return photos.photos
        }
    }

    private func awaitThumbnails(_ count: Int, on phone: Browser.Page) throws {
        let loaded = """
            [...document.querySelectorAll('#shift .photos img')]
                .filter((it) => it.complete && it.naturalWidth > 0).length
            """
        try eventually("\(count) photos are shown") { try phone.run(loaded) == "\(count)" }
    }

    private func awaitAllSent(from phone: Browser.Page) throws {
        try eventually("all was sent") { try phone.text("#sending") == "All sent" }
    }

    private func shoot(_ name: String, _ phone: Browser.Page) throws {
        if let folder = Self.folder { try phone.shoot("\(folder)/\(name).png") }
    }

    @Test func `a task is answered with photos, which are upright, removable and undone`() throws {
        let phone = try begin()
        let shift = try lobby.shift()
        #expect(try phone.barriers == [])
        try shoot("asked", phone)
        try phone.take(camera(1), with: "button.good.big")
        try awaitThumbnails(1, on: phone)
        #expect(try phone.barriers == [])
        try eventually("it arrived") { try photos(of: shift).count == 1 }
        let first = try #require(try photos(of: shift).last?.first)
        #expect([first.width, first.height] == [1_200, 1_600])
        let file = try lobby.file(of: first, in: shift)
        #expect(Checksum.of(file) == first.checksum && file.count == Int(first.size))
        #expect(file.firstRange(of: Array("Exif".utf8)) == nil)
        #expect(file.firstRange(of: Array("GPS".utf8)) == nil)

        try phone.take(camera(2), with: ".task > button")
        try awaitThumbnails(2, on: phone)
        // Taking the same photo again gives the same photo.
        try phone.take(camera(2), with: ".task > button")
        try eventually("the second arrived") { try photos(of: shift).count == 2 }
        try shoot("answered", phone)
        try phone.click("button.photo")
        #expect(try phone.barriers == [])
        try shoot("looked-at", phone)
        try phone.click("dialog button.main")
        try phone.click(".photos button.quiet")
        try awaitThumbnails(1, on: phone)
        try phone.click(".undo")
        try awaitThumbnails(2, on: phone)
        try phone.click("button.good.big")
        try eventually("the next task is there") { try phone.text("h1") == "Floor" }
        try eventually("all arrived") { try photos(of: shift).count >= 4 }
        try awaitAllSent(from: phone)
        let all = try photos(of: shift)
        #expect(all.map(\.count) == [1, 2, 1, 2])
        #expect(Set(all.joined().map(\.checksum)).count == 2 && all[3] == all[1])

        try phone.click("header button:has-text('Lists')")
        try phone.click("button.list:has-text('Photos')")
        try awaitThumbnails(2, on: phone)
        #expect(try phone.barriers == [])
        try shoot("photos", phone)
        // Another device has none of the files, and gets them from the service.
        let other = try begin("other")
        try other.click(Self.previous)
        try awaitThumbnails(2, on: other)
        try other.click("button.bad.big")
        try eventually("the photos stay with the new mark") { try photos(of: shift).count == 5 }
        #expect(try photos(of: shift)[4] == all[3])
        #expect(try phone.problems == [] && other.problems == [])
    }

    @Test func `what isn't a photo is refused, and an issue is reported with photos`() throws {
        let phone = try begin()
        let text = lobby.system.path("notes.txt")
        try Data("no photo".utf8).write(to: URL(filePath: text))
        try phone.take(text, with: "button.good.big")
        try eventually("it is told") {
            try phone.text("#sending").contains("not a picture that this browser can read")
        }
        try phone.click("header button:has-text('Lists')")
        try phone.click("button.list:has-text('To do')")
        try phone.click("#shift > button.main")
        try phone.fill("#line", "Glass is cracked")
        for number in 1...5 as ClosedRange<UInt8> {
            try phone.take(camera(number), with: ".taking > button")
            try awaitThumbnails(Int(number), on: phone)
        }
        // There is room for five photos.
        #expect(try phone.run("document.querySelectorAll('.taking > button').length") == "0")
        #expect(try phone.barriers == [])
        try shoot("issue", phone)
        try phone.click(".photos button.quiet")
        try awaitThumbnails(4, on: phone)
        try phone.click("#shift form button.main")
        try awaitThumbnails(4, on: phone)
        #expect(try phone.barriers == [])
        try shoot("todos", phone)
        var made: [AddTodo] = []
        try eventually("it arrived") {
            made = try lobby.operations(of: lobby.shift()).compactMap { operation -> AddTodo? in
                if case .addTodo(let todo) = operation.change { todo } else { nil }
            }
            return !made.isEmpty
        }
        try awaitAllSent(from: phone)
        #expect(made.map(\.photos.count) == [4])
        for photo in made.flatMap(\.photos) {
            #expect(try lobby.file(of: photo, in: lobby.shift()).count == Int(photo.size))
        }
        #expect(try phone.problems == [])
    }

    /// Has pictures be decoded only when the test wants it.
    private static let slow = """
        (globalThis.createImageBitmap = ((real) => async (...all) => {
            while (!globalThis.mayGoOn) await new Promise((go) => setTimeout(go, 20));
            return real(...all);
        })(createImageBitmap), 'set')
        """

    @Test func `a photo stays with its task although somebody has gone on to the next`() throws {
        let phone = try begin()
        let shift = try lobby.shift()
        #expect(try phone.run(Self.slow) == "set")
        try phone.take(camera(1), with: "button.good.big")
        try phone.click(".small button:last-child")
        try eventually("the next task is there") { try phone.text("h1") == "Floor" }
        #expect(try phone.run("(globalThis.mayGoOn = true)") == "true")
        try eventually("it arrived") { try photos(of: shift).map(\.count) == [1] }
        #expect(try phone.text("h1") == "Floor")
        try phone.click(Self.previous)
        try awaitThumbnails(1, on: phone)
        #expect(try phone.problems == [])
    }

    @Test func `a to-do that is saved at once has the photo that was taken last`() throws {
        let phone = try begin()
        let shift = try lobby.shift()
        #expect(try phone.run(Self.slow) == "set")
        try phone.click("header button:has-text('Lists')")
        try phone.click("button.list:has-text('To do')")
        try phone.click("#shift > button.main")
        try phone.fill("#line", "Glass is cracked")
        try phone.take(camera(1), with: ".taking > button")
        try phone.click("#shift form button.main")
        #expect(try phone.run("(globalThis.mayGoOn = true)") == "true")
        var made: [AddTodo] = []
        try eventually("it arrived") {
            made = try lobby.operations(of: shift).compactMap { operation -> AddTodo? in
                if case .addTodo(let todo) = operation.change { todo } else { nil }
            }
            return !made.isEmpty
        }
        #expect(made.map(\.photos.count) == [1])
        try awaitThumbnails(1, on: phone)
        #expect(try phone.problems == [])
    }

    @Test func `a photo that is shown survives a dead battery, and arrives once`() throws {
        let phone = try begin()
        let shift = try lobby.shift()
        lobby.killChecklists()
        try phone.take(camera(1), with: "button.good.big")
        try awaitThumbnails(1, on: phone)
        try eventually("it waits") { try phone.text("#sending").contains("1 wait here") }
        try phone.kill()

        let again = try browser.begin("phone", profile: lobby.system.path("browser-phone"))
        try again.go(lobby.address + "/shift/Harbour")
        try again.click("button.list")
        try again.click(Self.previous)
        try awaitThumbnails(1, on: again)
        #expect(try again.text("#sending").contains("1 wait here"))
        try lobby.startChecklists()
        // The log-in ended with the browser.
        try again.click("#sending a.button")
        try again.fill("#name", "kari")
        try again.fill("#password", Lobby.password)
        try again.click("button.main")
        try eventually("the lists are there") { try again.text("h1") == "Lists" }
        try eventually("it arrived") { try !photos(of: shift).isEmpty }
        try awaitAllSent(from: again)
        let named = try photos(of: shift)
        #expect(named.map(\.count) == [1])
        #expect(try lobby.file(of: named[0][0], in: shift).count == Int(named[0][0].size))
        #expect(try lobby.system.query(.checklist, "SELECT count(*) FROM photoFile") == [["1"]])
    }

    @Test func `what waits for a shift that has ended is sent when the page is next opened`() throws
    {
        let phone = try begin()
        let former = try lobby.shift()
        lobby.killChecklists()
        try phone.take(camera(1), with: "button.good.big")
        try eventually("it waits") { try phone.text("#sending").contains("1 wait here") }
        try phone.go(lobby.address + "/")
        try lobby.startChecklists()
        try lobby.command("shift", "end", "--despite-open")
        try lobby.command("shift", "start", "day")
        #expect(try photos(of: former).isEmpty)

        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("it arrived late") { try photos(of: former).count == 1 }
        let photo = try #require(try photos(of: former).first?.first)
        #expect(try lobby.file(of: photo, in: former).count == Int(photo.size))
        let kept = """
            new Promise((resolve) => {
                const open = indexedDB.open('steward');
                open.onsuccess = () => {
                    const all = open.result.transaction('records').objectStore('records')
                        .getAllKeys();
                    all.onsuccess = () => {
                        open.result.close();
                        resolve(all.result.filter(([name]) => name.endsWith('/photos')).length);
                    };
                };
            })
            """
        try eventually("its file is no longer kept here") { try phone.run(kept) == "0" }
        #expect(try phone.problems == [])
    }
}
