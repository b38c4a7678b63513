import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct TerminalTests {
        private static let newPassword = "battery staple horse"
        /// What a log-in asks for: whoever was given a code has no password yet.
        private static let prompt = "Password or single-use code"

        /// `steward` at a terminal.
        private func window(_ office: Office, _ words: String...) throws -> TerminalWindow {
            try TerminalWindow(
                ["\(System.executables)/steward"] + words,
                environment: office.system.environment(adding: ["TERM": "xterm"]))
        }

        /// Types the answer to a prompt, and expects that it isn't shown.
        private func answer(
            _ window: TerminalWindow, _ question: String, _ secret: String
        ) throws {
            try window.wait(for: question + ": ", echoing: false)
            #expect(!window.publicFace.isEmpty)
            try window.type(secret + "\n")
            #expect(!window.publicFace.contains(secret))
        }

        @Test func `a password isn't shown while it is typed, and other input is shown again`()
            throws
        {
            let office = try Office()
            try office.person("ann")
            let window = try window(office, "login", "ann")

            try answer(window, Self.prompt, Office.password)

            #expect(try window.waitForEnd() == .exited(0))
            #expect(window.seen.contains("logged in as ann"))
            #expect(!window.seen.contains(Office.password))
            #expect(window.echoes)
        }

        @Test func `a missing name is asked for and shown as it is typed`() throws {
            let office = try Office()
            try office.person("ann")
            let window = try window(office, "login")

            try window.wait(for: "Name: ", echoing: true)
            try window.type("ann\n")
            try answer(window, Self.prompt, Office.password)

            #expect(try window.waitForEnd() == .exited(0))
        }

        @Test func `a code and a new password are typed hidden, the password twice`() throws {
            let office = try Office()
            let code = try office.ask(Invite(), for: Invitation.self).code
            let window = try window(office, "user", "sign-up", "ann")

            try answer(window, "Invitation", code)
            try answer(window, "New password", Office.password)
            try answer(window, "Once more", Office.password)

            #expect(try window.waitForEnd() == .exited(0))
            #expect(!window.seen.contains(Office.password))
            #expect(!window.seen.contains(code))
            _ = try office.logIn("ann")
        }

        @Test func `a password can be changed at the terminal`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])
            let different = try window(office, "passwd")
            try answer(different, "Present password", Office.password)
            try answer(different, "New password", Self.newPassword)
            try answer(different, "Once more", "something else")
            #expect(try different.waitForEnd() == .exited(1))
            #expect(different.seen.contains("the two are not the same"))
            _ = try office.logIn("ann")

            let window = try window(office, "passwd")
            try answer(window, "Present password", Office.password)
            try answer(window, "New password", Self.newPassword)
            try answer(window, "Once more", Self.newPassword)

            #expect(try window.waitForEnd() == .exited(0))
            for secret in [Office.password, Self.newPassword] {
                #expect(!(window.seen + different.seen).contains(secret))
            }
            #expect(
                try office.refusal(of: LogIn(name: "ann", password: Office.password)) == .wrong)
            // The session that changed it continues.
            #expect(try office.steward("whoami").out.hasPrefix("ann "))
        }

        @Test(arguments: ["Ctrl-C", "SIGTERM", "SIGHUP"])
        func `after giving up at a prompt the terminal shows typed text again`(
            how: String
        ) throws {
            let office = try Office()
            let window = try window(office, "login", "ann")
            try window.wait(for: Self.prompt + ": ", echoing: false)
            try window.type("half a pass")

            switch how {
            case "Ctrl-C": try window.type("\u{3}")
            case "SIGTERM": window.signal(SIGTERM)
            default: window.signal(SIGHUP)
            }

            #expect(try window.waitForEnd() == .exited(130))
            #expect(window.seen.contains("given up"))
            #expect(!window.seen.contains("half"))
            #expect(window.echoes)
        }

        @Test func `Ctrl-C after the prompt ends a log-in that gets no answer`() throws {
            let office = try Office()
            office.service.signal(SIGSTOP)
            let window = try window(office, "login", "ann")

            try answer(window, Self.prompt, Office.password)
            try window.wait(for: "\n", echoing: true)
            try window.type("\u{3}")

            #expect(try window.waitForEnd() == .killed(SIGINT))
        }

        @Test func `a person with several sites is asked until they name one of them`() throws {
            let office = try Office()
            for name in ["Harbour", "Mill"] {
                _ = try office.steward("site add \(name) --zone Europe/Berlin")
            }
            try office.person("ann", Grant(role: .supervisor))
            let window = try window(office, "login", "ann")

            try answer(window, Self.prompt, Office.password)
            try window.wait(for: "your sites:")
            try window.wait(for: "Site: ", echoing: true)
            try window.type("airport\n")
            try window.wait(for: "you have no site “airport”")
            try window.wait(for: "Site: ", echoing: true)
            try window.type("mill\n")

            #expect(try window.waitForEnd() == .exited(0))
            #expect(window.seen.contains("logged in as ann at Mill"))
        }
    }
}
