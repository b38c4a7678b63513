import Foundation
import TestSupport
import TestThreads
import Testing

/// Each page once in the other browsers that people use.
@Suite(.serialized, .waiting) struct OtherBrowserTests {
    private static let pictures = ProcessInfo.processInfo.environment["BROWSER_PICTURES"]

    @Test(
        .enabled(if: Browser.Kind.firefox.isHere, "no page is tried in Firefox without firefox-esr")
    )
    func `each page works in Firefox, and a task is ticked there`() throws {
        try visit(.firefox)
    }

    /// It stands in for Safari, which has the same engine.
    @Test(
        .enabled(
            if: Browser.Kind.webKit.isHere,
            "no page is tried in WebKitGTK without webkit2gtk-driver and xvfb"))
    func `each page works in WebKitGTK, and a task is ticked there`() throws {
        try visit(.webKit)
    }

    /// Prepares a photo as the page does, and sends it, because each browser has its own encoder.
    private static func photo(for shift: String) -> String {
        """
        (async () => {
            const { href } = document.querySelector("link[href$='/photos.js']");
            const { prepare } = await import(href);
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [2400, 1800];
            const pen = canvas.getContext("2d");
            for (let at = 0; at < 2400; at += 40) {
                pen.fillStyle = `hsl(${at} 60% 50%)`;
                pen.fillRect(at, at / 2, 900, 700);
            }
            const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
            const { photo, file } = await prepare(blob);
            const { account } = document.getElementById("shift").dataset;
            const headers = { "Content-Type": "image/jpeg", "Steward-Account": account };
            const { status } = await fetch("/photos/\(shift)", {
                method: "POST", headers, body: file });
            return [status, photo.width, photo.height].join(" ");
        })()
        """
    }

    private func visit(_ kind: Browser.Kind) throws {
        let lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
        try lobby.openShift()
        try lobby.add("kari", .administrator)
        let plan = try lobby.drawBathroom()
        let browser = try Browser(kind)
        let page = try browser.begin("other", profile: lobby.system.path("browser"))
        try page.logIn(lobby, as: "kari")
        let pages: [(path: String, selector: String, text: String)] = [
            ("/", "h1", "Hello, kari"), ("/board/Harbour", "#head", "Harbour"),
            ("/alerts", "h1", "Alerts"), ("/alerts/preferences", "h1", "How alerts"),
            ("/plans", "h1", "Plans"), ("/plan/\(plan)", "h1", "Home"),
            ("/ride", "#ride button.main", "I understand"),
            ("/ride/favourites", "h1", "Favourite stops"), ("/log-ins", "h1", "Your log-ins"),
            ("/people", "h1", "People"), ("/people/audit", "h1", "What was done"),
            ("/gallery", "h1", "Gallery"), ("/sign-up", "h1", "Sign up"),
            ("/shift/Harbour", "h1", "Lists"),
        ]
        for (path, selector, text) in pages {
            #expect(try page.go(lobby.address + path) == 200, "\(path)")
            try eventually("\(path) is shown") { try page.text(selector).contains(text) }
            if let folder = Self.pictures {
                try page.shoot("\(folder)/\(path.replacing("/", with: "-")).png")
            }
        }
        try page.click("button.list")
        try page.click("button.good.big")
        try lobby.awaitMarks(1, from: page)
        let shift = try lobby.shift()
        #expect(try page.run(Self.photo(for: shift)) == "200 1600 1200")
        let problems = try page.problems
        #expect(problems == [], "\(problems)")
    }
}
