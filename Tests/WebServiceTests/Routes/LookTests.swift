import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// How pages look, which each person chooses for each device.
@Suite(.waiting) struct LookTests {
    /// A browser, as far as it keeps cookies.
    private final class Device {
        private let lobby: Lobby
        private var cookies: [String: String] = [:]
        /// The names of those that last until the browser is closed.
        private var passing: Set<String> = []

        init(_ lobby: Lobby) { self.lobby = lobby }

        /// Sends a form, or loads a page.
        func ask(_ path: String, form: String? = nil) throws -> Lobby.Answer {
            let sent = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            let answer = try lobby.ask(
                form == nil ? "GET" : "POST", path, cookie: sent.isEmpty ? nil : sent, form: form)
            for (name, value) in answer.headers where name == "Set-Cookie" {
                let parts = value.split(separator: ";").map { $0.split(separator: "=") }
                let isOver = value.contains("Max-Age=0")
                let key = String(parts[0][0])
                cookies[key] = isOver ? nil : String(parts[0][1])
                if value.contains("Max-Age") { passing.remove(key) } else { passing.insert(key) }
            }
            return answer
        }

        /// Closes the browser.
        func close() {
            for name in passing { cookies[name] = nil }
            passing = []
        }

        func logIn(_ name: String) throws {
            let form = "name=\(name)&password=\(Target.encoded(Lobby.password))"
            // On a busy machine the account-service may take longer than the server waits for it.
            try eventually("\(name) is logged in") {
                try ask("/login", form: form).status == 303
            }
        }

        func choose(_ look: String) throws {
            #expect(try ask("/look", form: "look=\(look)&next=%2F").status == 303)
        }

        /// The look of a page; nil for that of the system.
        func look(of path: String = "/") throws -> String? {
            try ask(path).body.firstMatch(of: /data-look="([a-z]+)"/).map { String($0.1) }
        }
    }

    @Test func `a look is kept for each person on each device`() throws {
        let lobby = try Lobby()
        for name in ["kari", "ola", "ida"] { try lobby.add(name, .crew) }
        let (tablet, phone) = (Device(lobby), Device(lobby))
        try tablet.logIn("kari")
        #expect(try tablet.look() == nil)
        try tablet.choose("dark")
        #expect(try tablet.look() == "dark")
        #expect(try tablet.ask("/logout", form: "").status == 303)
        #expect(try tablet.look(of: "/login") == nil)

        try tablet.logIn("ola")
        #expect(try tablet.look() == nil)
        try tablet.choose("contrast")
        #expect(try tablet.look() == "contrast")
        // Someone logs in without waiting for a log-out.
        try tablet.logIn("kari")
        #expect(try tablet.look() == "dark")
        try tablet.logIn("ida")
        #expect(try tablet.look() == nil)
        try tablet.logIn("ola")
        #expect(try tablet.look() == "contrast")

        try phone.logIn("kari")
        #expect(try phone.look() == nil)
    }

    @Test func `a look is over with a log-in that ended because the browser was closed`() throws {
        let lobby = try Lobby()
        for name in ["kari", "ola"] { try lobby.add(name, .crew) }
        let tablet = Device(lobby)
        try tablet.logIn("kari")
        try tablet.choose("dark")
        tablet.close()
        try tablet.logIn("ola")
        #expect(try tablet.look() == nil)
        tablet.close()
        try tablet.logIn("kari")
        #expect(try tablet.look() == "dark")
    }

    @Test func `a look that is chosen before the log-in stays, and no other service is needed`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .crew)
        let tablet = Device(lobby)
        try tablet.choose("contrast")
        #expect(try tablet.look(of: "/login") == "contrast")
        try tablet.logIn("kari")
        #expect(try tablet.look() == "contrast")

        lobby.others["account-service"]?.kill()
        try lobby.restart()
        try tablet.choose("light")
        try lobby.startOther("account-service")
        #expect(try tablet.ask("/logout", form: "").status == 303)
        try tablet.logIn("kari")
        #expect(try tablet.look() == "light")
    }
}
