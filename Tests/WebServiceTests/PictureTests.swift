import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The pictures that ``PictureTests`` should make.
private enum Wanted {
    /// The folder for the pictures; nil to make none.
    static let folder = ProcessInfo.processInfo.environment["PICTURES"]
    /// The names of pages; empty for all.
    static let pages = ProcessInfo.processInfo.environment["PICTURES_OF"] ?? ""
}

/// Every page in every language and look, on a phone and on a desktop, for people to look at. Only
/// with PICTURES, which names a folder for the pictures outside of the repository.
@Suite(
    .serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack),
    .enabled(if: Wanted.folder != nil, "pictures are made with PICTURES=/path"))
struct PictureTests {
    private struct Shot {
        let path: String
        let name: String
        var until = "main"
        var then: (Browser.Page) throws -> Void = { _ in }
    }

    private static func shots(plan: String) -> [Shot] {
        [
            Shot(path: "/login", name: "login"), Shot(path: "/", name: "home"),
            Shot(path: "/alerts", name: "alerts", until: "#list"),
            Shot(path: "/board/Harbour", name: "board"),
            Shot(path: "/shift/Harbour", name: "lists", until: "button.list"),
            Shot(
                path: "/shift/Harbour", name: "task", until: "button.list",
                then: { try $0.click("button.list") }),
            Shot(path: "/plans", name: "plans"),
            Shot(path: "/plan/\(plan)", name: "plan", until: "#plan"),
            Shot(path: "/ride", name: "privacy", until: "#ride h2"),
            Shot(
                path: "/ride", name: "search", until: "#ride h2",
                then: {
                    try $0.click("#ride button.main")
                    try $0.fill("#stop", "gen hosp")
                    try $0.click("#stops button:has-text('General')")
                }),
            Shot(path: "/ride/favourites", name: "favourites"),
            Shot(path: "/log-ins", name: "log-ins"),
            Shot(
                path: "/log-ins", name: "code",
                then: { try $0.click("section.card button.main") }),
            Shot(path: "/alerts/preferences", name: "preferences"),
            Shot(path: "/people", name: "people"),
            Shot(
                path: "/people", name: "invitation",
                then: { try $0.click("form[action='/people/invite'] button") }),
            Shot(path: "/people/audit", name: "audit"), Shot(path: "/sign-up", name: "sign-up"),
            Shot(path: "/nothing", name: "nothing"), Shot(path: "/gallery", name: "gallery"),
        ].filter { Wanted.pages.isEmpty || Wanted.pages.contains($0.name) }
    }

    @Test func `each page is pictured, and can be read by everyone`() throws {
        let folder = try #require(Wanted.folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let browser = try Browser()
        let lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
        let demo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/demo").standardized.path
        try lobby.command("transit", "import", "\(demo)/harbour-line")
        try lobby.openShift()
        try lobby.add("kari", .administrator)
        let plan = try lobby.drawBathroom("Storgata 1")
        try lobby.raise("Fire in the kitchen")
        for (what, priority) in [
            ("Mop the cellar", "immediate"), ("Fetch the ice for the evening", "next-shift"),
        ] { try lobby.command("todo", "add", what, "--priority", priority) }
        let shots = Self.shots(plan: plan)
        var barriers: [String] = []
        for locale in ["en-GB", "nb-NO", "sv-SE"] {
            for look in ["light", "dark", "contrast"] {
                for (device, width, height) in [("phone", "360", "740"), ("desk", "1280", "900")] {
                    let name = "\(locale.prefix(2))-\(look)-\(device)"
                    let page = try browser.begin(
                        name, profile: lobby.system.path("browser-\(name)"),
                        ["locale": locale, "width": width, "height": height])
                    try page.plant("look=\(look)", at: lobby.address)
                    for shot in shots {
                        let isNew = try page.cookies.allSatisfy { !$0.hasPrefix("steward=") }
                        if shot.name != "login", isNew { try page.logIn(lobby, as: "kari") }
                        try page.go(lobby.address + shot.path)
                        try eventually("\(shot.name) is shown") {
                            try !page.text(shot.until).isEmpty
                        }
                        try shot.then(page)
                        try page.shoot("\(folder)/\(shot.name)-\(name).png")
                        for barrier in try page.barriers {
                            barriers.append("\(shot.name) \(name): \(barrier)")
                        }
                    }
                    try page.kill()
                }
            }
        }
        #expect(barriers == [])
    }
}
