import Foundation
import Messages
import TestSupport
import Testing

/// The user stories about logging in, at the command line.
extension Processes {
    @Suite struct StoryTests {
        /// Signs someone up with an invitation, in a home directory of their own.
        private func signUp(
            _ office: Office, _ name: String, _ arguments: String = ""
        ) throws {
            let code = try office.steward("user invite").out.trimmingCharacters(in: .newlines)
            let end = try office.steward(
                "user sign-up \(name) \(arguments)", typing: [code, Office.password], home: name)
            #expect(end.out == "\(name) has an account\n", "\(end.err)")
        }

        private func logIn(
            _ office: Office, _ name: String, _ password: String = Office.password
        ) throws -> (end: Program.End, out: String, err: String) {
            try office.steward("login \(name)", typing: [password], home: name)
        }

        // MARK: Routines: signing up, logging in, logging out

        @Test func `a person signs up with an e-mail address, a name and a password, and logs in`()
            throws
        {
            let office = try Office()

            try signUp(office, "ann", "--email ann@example.org --called Ann")

            #expect(try logIn(office, "ann").out == "logged in as Ann\n")
            let byMail = try office.steward(
                "login ann@example.org", typing: [Office.password], home: "phone")
            #expect(byMail.out == "logged in as Ann\n")
            #expect(try office.steward("whoami", home: "phone").out.contains("ann@example.org"))
        }

        @Test func `a wrong name or password lets nobody in, and the error doesn't say which`()
            throws
        {
            let office = try Office()
            try signUp(office, "ann")

            let password = try logIn(office, "ann", "a wrong password")
            let name = try office.steward(
                "login anne", typing: [Office.password], home: "ann")

            #expect(password.end == .exited(1))
            #expect(name.end == .exited(1))
            #expect(password.err == name.err)
            #expect(password.out == name.out)
            #expect(!FileManager.default.fileExists(atPath: office.sessionFile(home: "ann")))
        }

        @Test func `a person stays logged in until they log out, and must then log in again`()
            throws
        {
            let office = try Office()
            try signUp(office, "ann")
            _ = try logIn(office, "ann")
            try office.restart()
            #expect(try office.steward("whoami", home: "ann").out.hasPrefix("ann "))

            #expect(try office.steward("logout", home: "ann").out == "logged out\n")

            #expect(!(try office.steward("whoami", home: "ann").out.hasPrefix("ann ")))
            #expect(try office.steward("logout", home: "ann").end == .exited(1))
            #expect(try logIn(office, "ann").end == .exited(0))
        }

        // MARK: Routines: guardians and carers

        @Test func `a person adds a carer, who may help, and removes them`() throws {
            let office = try Office()
            for name in ["resident", "helper"] {
                try signUp(office, name)
                _ = try logIn(office, name)
            }
            let hidden = try office.steward("user list", home: "helper").out

            let added = try office.steward("carer add helper resident", home: "resident")
            let known = try office.steward("whoami", home: "helper").out
            let removed = try office.steward("carer remove helper resident", home: "resident")

            #expect(!hidden.contains("resident"))
            #expect(added.out == "helper now cares for resident\n")
            #expect(known.contains("cares for resident"))
            #expect(removed.out == "helper no longer cares for resident\n")
            let after = try office.steward("whoami", home: "helper")
            #expect(!after.out.contains("cares for"), "\(after.err)")
        }

        @Test func `a guardian waits for the child, and nobody can make themselves a carer`()
            throws
        {
            let office = try Office()
            for name in ["child", "parent", "stranger"] { try signUp(office, name) }
            _ = try logIn(office, "stranger")
            _ = try logIn(office, "parent")
            _ = try logIn(office, "child")

            let grabbed = try office.steward("carer add stranger child", home: "stranger")
            let proposed = try office.steward("carer add parent child")
            let asked = try office.steward("whoami", home: "child").out
            let waiting = try office.steward("whoami", home: "parent").out
            let agreed = try office.steward("carer add parent child", home: "child")

            #expect(grabbed.end == .exited(1))
            #expect(grabbed.err.contains("this needs the role administrator"))
            #expect(proposed.out == "parent is proposed as carer to child\n")
            #expect(proposed.err.contains("steward carer add parent child"))
            #expect(asked.contains("parent is proposed as your carer"))
            #expect(!waiting.contains("child"))
            #expect(agreed.out == "parent now cares for child\n")
            #expect(try office.steward("whoami", home: "parent").out.contains("cares for child"))
            #expect(!(try office.steward("user list", home: "stranger").out.contains("child")))
            #expect(try office.steward("user list", home: "parent").out.contains("child"))
        }

        // MARK: Checklists: sites and roles

        @Test func `a shift manager of several restaurants logs in to one of them`()
            throws
        {
            let office = try Office()
            for name in ["Harbour", "Station"] {
                _ = try office.steward("site add \(name) --zone Europe/Stockholm --area Kitchen")
            }
            try signUp(office, "maria")
            for name in ["Harbour", "Station"] {
                _ = try office.steward("role grant maria shift-manager --site \(name)")
            }

            let logIn = try office.steward(
                "login maria --site station", typing: [Office.password], home: "maria")
            let who = try office.steward("whoami", home: "maria").out

            #expect(logIn.out == "logged in as maria at Station\n")
            #expect(who.contains("shift-manager at Harbour"))
            #expect(who.contains("shift-manager at Station"))
            #expect(who.contains("works at Station now"))
            _ = try office.steward("site use harbour", home: "maria")
            #expect(
                try office.steward("whoami", home: "maria").out.contains("works at Harbour now"))
        }

        @Test func `each higher role sees and grants more`() throws {
            let office = try Office()
            for name in ["Harbour", "Station"] {
                _ = try office.steward("site add \(name) --zone Europe/Stockholm")
            }
            let roles = ["crew", "shift-manager", "site-manager", "administrator", "owner"]
            for role in roles {
                try signUp(office, role)
                let place = ["administrator", "owner"].contains(role) ? "" : "--site harbour"
                let granted = try office.steward("role grant \(role) \(role) \(place)")
                #expect(granted.end == .exited(0), "\(granted.err)")
                _ = try logIn(office, role)
            }
            try signUp(office, "newcomer")

            let attempts = [
                "user list --site harbour --json", "user invite --role crew --site harbour",
                "user invite --role supervisor --site harbour",
                "organisation create New-\(roles.count)",
            ]
            // How many of these each role may do; the list is never refused, only shorter.
            let done = try roles.map { role in
                try attempts.filter { try office.steward($0, home: role).end == .exited(0) }.count
            }
            let seen = try roles.map { role in
                try office.steward("user list --site harbour --json", home: role).out
                    .components(separatedBy: "\"name\"").count - 1
            }

            #expect(done == [1, 1, 2, 3, 4])
            #expect(seen == [1, 3, 3, 3, 3])
        }

        @Test func `a supervisor of several sites sees the people of those sites only`() throws {
            let office = try Office()
            for name in ["Harbour", "Station", "Airport"] {
                _ = try office.steward("site add \(name) --zone Europe/Stockholm")
                try signUp(office, "cook-\(name)")
                _ = try office.steward("role grant cook-\(name) crew --site \(name)")
            }
            try signUp(office, "vera")
            for name in ["Harbour", "Station"] {
                _ = try office.steward("role grant vera supervisor --site \(name)")
            }
            _ = try office.steward(
                "login vera --site harbour", typing: [Office.password], home: "v")

            let list = try office.steward("user list", home: "v").out

            #expect(list.contains("cook-Harbour"))
            #expect(list.contains("cook-Station"))
            #expect(!list.contains("cook-Airport"))
            let airport = try office.steward("site use airport", home: "v")
            #expect(airport.err.contains("you have no site “airport”"))
        }

        // MARK: Projects: the part of account-service. The address of a Redmine server, the log-in
        // to it and its API key are the project service's.

        @Test func `random credentials are an error, and the right ones log in`() throws {
            let office = try Office()
            try signUp(office, "user")

            let wrong = try office.steward("login fhjdk", typing: ["dhfjk"], home: "user")
            let right = try logIn(office, "user")

            #expect(wrong.end == .exited(1))
            #expect(wrong.err.contains("the name or the password is wrong"))
            #expect(right.end == .exited(0))
            // The home directory decides who is logged in.
            #expect(try office.steward("whoami", home: "user").out == "user (user)\n")
        }

        @Test func `logging out deletes the credentials, here and in the service`() throws {
            let office = try Office()
            try signUp(office, "user")
            _ = try logIn(office, "user")
            let path = office.sessionFile(home: "user")
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!kept.contains(Office.password))

            _ = try office.steward("logout", home: "user")

            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
            #expect(
                try office.system.query(.account, "SELECT count(*) FROM session WHERE ended = 0")
                    == [["0"]])
            // A copy of the earlier log-in is no longer valid.
            try kept.write(toFile: path, atomically: true, encoding: .utf8)
            let stolen = try office.steward("sessions", home: "user")
            #expect(stolen.end == .exited(1))
        }
    }
}
