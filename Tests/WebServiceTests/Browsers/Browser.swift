import Foundation
import TestSupport
import Testing

/// A browser, driven by a script in `Tests/WebPages`. Each page is a browser with a profile of its
/// own.
final class Browser {
    /// The kinds of browsers.
    enum Kind: String, Sendable {
        case chromium = "/usr/bin/chromium-headless-shell"
        /// It does only what a visit to each page needs.
        case firefox = "/usr/bin/firefox-esr"
        /// The same, on a screen that no one sees.
        case webKit = "/usr/bin/WebKitWebDriver"

        /// True if it is installed.
        var isHere: Bool {
            let needed = self == .webKit ? [rawValue, "/usr/bin/Xvfb"] : [rawValue]
            return needed.allSatisfy(FileManager.default.isExecutableFile)
        }

        /// The script in `Tests/WebPages` that drives it.
        fileprivate var script: String {
            switch self {
            case .chromium: "browser.py"
            case .firefox: "firefox.py"
            case .webKit: "webkit.py"
            }
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let python = root.appending(path: ".build/browser/bin/python").path

    /// True if browsers can be driven on this machine.
    static let isHere = [python, "/usr/bin/chromium-headless-shell"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static let lack: Comment = """
        no page is tried in a browser without Chromium and Playwright: make .build/browser \
        installs them
        """

    private let driver: BrowserDriver
    private let kind: Kind
    private var read: [UInt8] = []
    /// Longer than the driver itself waits for anything, in milliseconds.
    private static let patience: Int32 = 600_000
    /// True if the driver has not answered for that long.
    private var isSilent = false

    init(_ kind: Kind = .chromium) throws {
        self.kind = kind
        let python = kind == .chromium ? Self.python : "/usr/bin/python3"
        let script = Self.root.appending(path: "Tests/WebPages/\(kind.script)").path
        driver = try BrowserDriver.idle(kind.script) ?? BrowserDriver(python, script)
    }

    deinit {
        let isCleared = (try? kind == .chromium && ask("clear", "").text == nil) ?? false
        guard !isCleared else { return driver.keep(kind.script) }
        driver.end(within: isSilent ? .zero : .milliseconds(Int(Self.patience)))
    }

    private struct Wish: Encodable {
        let what: String, name: String, text: String, more: [String: String]
    }

    /// What the driver answers: a text, texts, or nothing.
    private struct Said: Decodable {
        let text: String?, texts: [String]?, fault: String?

        private enum Key: String, CodingKey { case value, fault }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            fault = try values.decodeIfPresent(String.self, forKey: .fault)
            texts = try? values.decode([String].self, forKey: .value)
            if let number = try? values.decode(Double.self, forKey: .value) {
                text = String(Int(number))
            } else {
                text = try? values.decode(String.self, forKey: .value)
            }
        }
    }

    private func ask(
        _ what: String, _ name: String, _ text: String = "", _ more: [String: String] = [:]
    ) throws -> Said {
        guard !isSilent else { throw Complaint("the driver of the browser is silent") }
        var line = try JSONEncoder().encode(Wish(what: what, name: name, text: text, more: more))
        line.append(UInt8(ascii: "\n"))
        try driver.write(line)
        while !read.contains(UInt8(ascii: "\n")) {
            let reading = driver.answers
            var state = pollfd(fd: reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, Self.patience) != 0 else {
                isSilent = true
                throw Complaint("\(what) \(text): the driver of the browser doesn't answer")
            }
            let bytes = reading.availableData
            guard !bytes.isEmpty else { throw Complaint("the driver of the browser ended") }
            read += bytes
        }
        let end = read.firstIndex(of: UInt8(ascii: "\n")) ?? read.startIndex
        defer { read.removeFirst(end + 1) }
        let said = try JSONDecoder().decode(Said.self, from: Data(read[..<end]))
        if let fault = said.fault { throw Complaint("\(what) \(text): \(fault)") }
        return said
    }

    /// Starts a browser with an empty page.
    ///
    /// - Parameters:
    ///   - name: the test's name for it.
    ///   - profile: the folder in which it keeps its data.
    ///   - more: width, height, locale and scheme, if not those of a small phone in English;
    ///     `script` is `off` for a browser without JavaScript, and `colours` is `active` for one
    ///     that draws everything in a few colours of its own.
    func begin(
        _ name: String, profile: String, _ more: [String: String] = [:]
    ) throws -> Page {
        _ = try ask("begin", name, "", more.merging(["profile": profile]) { $1 })
        return Page(self, name)
    }

    /// Starts another server on this machine with one page, and returns its port.
    func serve(_ html: String) throws -> Int {
        let text = try ask("serve", "", html).text
        return try #require(text.flatMap { Int($0) })
    }

    /// Starts a relay to a server on this machine, at `http://[::1]:port`, which can be cut.
    func relay(to port: Int) throws -> Way {
        _ = try ask("relay", "\(port)", "\(port)")
        return Way(browser: self, port: port)
    }

    /// A relay to a server that can be cut.
    struct Way {
        fileprivate let browser: Browser
        fileprivate let port: Int

        /// The address at which browsers find the server through the relay.
        var address: String { "http://[::1]:\(port)" }

        /// Ends all connections, and refuses new ones.
        func cut() throws { _ = try browser.ask("cut", "\(port)") }

        /// Lets connections in again.
        func mend() throws { _ = try browser.ask("mend", "\(port)") }

        /// Lets nothing pass from now on, without telling either side.
        func lose() throws { _ = try browser.ask("lose", "\(port)") }

        /// Ends all connections, and answers in place of the server that it is down.
        func deny() throws { _ = try browser.ask("deny", "\(port)") }

        /// Lets everything pass from now on. What was sent before is lost.
        func restore() throws { _ = try browser.ask("restore", "\(port)") }

        /// When connections came after it was cut in one of these ways, in milliseconds since 1970.
        var tries: [Int] {
            get throws { try (browser.ask("tries", "\(port)").texts ?? []).compactMap { Int($0) } }
        }
    }

    /// A page in a browser.
    struct Page {
        private let browser: Browser
        private let name: String

        fileprivate init(_ browser: Browser, _ name: String) {
            (self.browser, self.name) = (browser, name)
        }

        /// Opens an address, and returns the status of the response.
        @discardableResult
        func go(_ address: String) throws -> Int {
            Int(try browser.ask("go", name, address).text ?? "") ?? 0
        }

        /// Logs in on the page for that.
        ///
        /// - Parameter way: the address of the server as the browser sees it; nil for the server's
        ///   own.
        func logIn(_ lobby: Lobby, as name: String, by way: String? = nil) throws {
            let place = way ?? lobby.address
            try go(place + "/login")
            try fill("#name", name)
            try fill("#password", Lobby.password)
            try click("button.main")
            try eventually("\(name) is logged in, on a page that is loaded") {
                try address == place + "/" && run("document.readyState") == "complete"
            }
        }

        /// Types into a field.
        func fill(_ field: String, _ text: String) throws {
            _ = try browser.ask("fill", name, field, ["with": text])
        }

        /// Clicks the first element that a selector finds.
        func click(_ selector: String) throws { _ = try browser.ask("click", name, selector) }

        /// The text that a person sees in an element.
        func text(_ selector: String) throws -> String {
            try browser.ask("text", name, selector).text ?? ""
        }

        /// The address of the page.
        var address: String {
            get throws { try browser.ask("address", name).text ?? "" }
        }

        /// The addresses of the frames in the page.
        var frames: [String] {
            get throws { try browser.ask("frames", name).texts ?? [] }
        }

        /// The value of a JavaScript expression, as text.
        func run(_ script: String) throws -> String {
            try browser.ask("run", name, "(async () => String(await (\(script))))()").text ?? ""
        }

        /// The problems that axe-core finds: the rule and the element.
        var barriers: [String] {
            get throws { try browser.ask("axe", name).texts ?? [] }
        }

        /// What went wrong so far: errors, warnings, and requests to other hosts.
        var problems: [String] {
            get throws { try browser.ask("problems", name).texts ?? [] }
        }

        /// The cookies that the browser has.
        var cookies: [String] {
            get throws { try browser.ask("cookies", name).texts ?? [] }
        }

        /// Gives the browser a cookie.
        func plant(_ cookie: String, at address: String) throws {
            _ = try browser.ask("plant", name, cookie, ["at": address])
        }

        /// Clicks what downloads a file, and returns its first bytes.
        func download(_ selector: String) throws -> String {
            try browser.ask("download", name, selector).text ?? ""
        }

        /// Clicks what opens the camera, and takes a photo, which is this file.
        func take(_ path: String, with selector: String) throws {
            _ = try browser.ask("take", name, selector, ["file": path])
        }

        /// Moves the device to a place.
        func move(latitude: Double, longitude: Double) throws {
            _ = try browser.ask("at", name, "\(latitude),\(longitude)")
        }

        /// Refuses every permission from now on.
        func refusePermissions() throws { _ = try browser.ask("refuse", name) }

        /// Runs a script before those of each page that is opened from now on.
        func prepare(_ script: String) throws { _ = try browser.ask("prepare", name, script) }

        /// Presses a key, as Playwright names them.
        func press(_ key: String) throws { _ = try browser.ask("press", name, key) }

        /// Turns the wheel with Ctrl pressed, which is how a pinch on a trackpad is reported.
        func pinch(_ amount: Int, over selector: String) throws {
            _ = try browser.ask("wheel", name, "\(amount)", ["over": selector])
        }

        /// Gives the window another size, such as `320x740`.
        func setSize(_ size: String) throws { _ = try browser.ask("size", name, size) }

        /// Saves a picture of the whole page.
        func shoot(_ path: String) throws { _ = try browser.ask("shot", name, path) }

        /// Opens another tab of the same browser.
        func tab(_ other: String) throws -> Page {
            _ = try browser.ask("tab", name, other)
            return Page(browser, other)
        }

        /// Stops the browser, as closing a laptop's lid does.
        func shutLid() throws { _ = try browser.ask("sleep", name) }

        /// Lets the browser continue.
        func openLid() throws { _ = try browser.ask("wake", name) }

        /// Ends the browser as a dead battery would.
        func kill() throws { _ = try browser.ask("kill", name) }
    }
}
