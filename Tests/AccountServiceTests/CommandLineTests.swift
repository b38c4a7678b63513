import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct CommandLineTests {
        @Test func `a person signs up, logs in and logs out at the terminal`() throws {
            let office = try Office()
            let code = try office.steward("user invite --role crew").out
                .trimmingCharacters(in: .newlines)

            let signUp = try office.steward(
                "user sign-up ann --called Ann", typing: [code, Office.password])
            let logIn = try office.steward(
                "login ann --device kitchen", typing: [Office.password])

            #expect(signUp.out == "ann has an account\n")
            #expect(logIn.out == "logged in as Ann\n")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: office.sessionFile())
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try office.steward("logout").end == .exited(0))
            #expect(try office.steward("logout").end == .exited(1))
        }

        @Test func `a wrong password exits with code 1 and leaves no session`() throws {
            let office = try Office()
            try office.person("ann")

            let end = try office.steward("login ann", typing: ["a wrong secret"])

            #expect(end.end == .exited(1))
            #expect(end.err.contains("the name or the password is wrong"))
            #expect(!FileManager.default.fileExists(atPath: office.sessionFile()))
        }

        @Test func `leaving the password out is a usage error`() throws {
            let office = try Office()

            #expect(try office.steward("login ann").end == .exited(64))
            #expect(try office.steward("login ann --password x").end == .exited(64))
        }

        @Test func `without a log-in the caller is the machine's owner`() throws {
            let office = try Office()

            let who = try office.steward("whoami")

            #expect(who.end == .exited(0))
            #expect(who.out.contains("owner"))
            #expect(who.err.contains("without a log-in"))
        }

        @Test func `simultaneous commands don't end the session`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try office.steward("login ann", typing: [Office.password])

            let programs = try (0..<6).map { _ in
                try office.system.spawn(tool: "steward", ["whoami", "--json"])
            }

            for program in programs {
                #expect(try program.waitForEnd() == .exited(0))
                #expect(program.out.contains("\"ann\""))
            }
            #expect(try office.steward("whoami").out.hasPrefix("ann "))
            #expect(
                try office.system.query(
                    .account, "SELECT count(*) FROM session WHERE ended = 0") == [["1"]])
        }

        @Test func `sites, roles and carers are set up by hand`() throws {
            let office = try Office()
            try office.person("ann")
            try office.person("child")

            #expect(
                try office.steward("site add Harbour --zone Europe/Berlin --area Kitchen").end
                    == .exited(0))
            let role = try office.steward(
                "role grant ann crew --site harbour --area Kitchen")
            #expect(role.out == "ann: crew at Harbour, Kitchen\n")
            #expect(
                try office.steward("carer add ann child").out
                    == "ann is proposed as carer to child\n")
            #expect(try office.steward("role list").out.contains("Kitchen"))
            #expect(try office.steward("user list").out.contains("child"))
            let audit = try office.steward("user audit").out
            #expect(audit.contains("carer proposed"))
            #expect(audit.contains(/site created +Harbour/), "\(audit)")
            #expect(audit.contains("Harbour · Kitchen"), "\(audit)")
            #expect(try office.steward("organisation list").out.contains("by invitation"))
            // The command also says what else a person loses who leaves.
            let disabled = try office.steward("user disable ann")
            #expect(disabled.out == "ann is disabled\n")
            #expect(disabled.err.contains("log-ins of ann at Redmine servers are deleted"))
            #expect(try !office.steward("user enable ann").err.contains("Redmine"))
            let revoked = try office.steward(
                "role revoke ann crew --site harbour --area Kitchen")
            #expect(revoked.out == "ann: no role\n" && revoked.err == disabled.err)
        }
    }
}
