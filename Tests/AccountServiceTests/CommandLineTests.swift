import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct CommandLineTests {
        /// Runs `steward` with lines on its standard input.
        private func steward(
            _ office: Office, _ arguments: String, typing lines: [String] = []
        ) throws -> (end: Program.End, out: String, err: String) {
            let input = office.system.path("typed")
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: input))
            let program = try office.system.spawn(
                [
                    "/bin/sh", "-c",
                    "exec '\(System.executables)/steward' \(arguments) < '\(input)'",
                ],
                environment: office.system.environment())
            return (try program.waitForEnd(), program.out, program.err)
        }

        private func sessionFile(_ office: Office) -> String {
            office.system.path(".config/steward/session")
        }

        @Test func `a person signs up, logs in and logs out at the terminal`() throws {
            let office = try Office()
            let code = try steward(office, "account invite --role crew").out
                .trimmingCharacters(in: .newlines)

            let signUp = try steward(
                office, "account sign-up ann --called Ann", typing: [code, Office.password])
            let logIn = try steward(
                office, "login ann --device kitchen", typing: [Office.password])

            #expect(signUp.out == "ann has an account\n")
            #expect(logIn.out == "logged in as Ann\n")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: sessionFile(office))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try steward(office, "logout").end == .exited(0))
            #expect(try steward(office, "logout").end == .exited(1))
        }

        @Test func `a wrong password ends with exit code 1 and keeps no session`() throws {
            let office = try Office()
            try office.person("ann")

            let end = try steward(office, "login ann", typing: ["a wrong secret"])

            #expect(end.end == .exited(1))
            #expect(end.err.contains("the name or the password is wrong"))
            #expect(!FileManager.default.fileExists(atPath: sessionFile(office)))
        }

        @Test func `a password that is not typed is wrong usage`() throws {
            let office = try Office()

            #expect(try steward(office, "login ann").end == .exited(64))
            #expect(try steward(office, "login ann --password x").end == .exited(64))
        }

        @Test func `without a log-in one is the owner of the machine`() throws {
            let office = try Office()

            let who = try steward(office, "whoami")

            #expect(who.end == .exited(0))
            #expect(who.out.contains("owner"))
            #expect(who.err.contains("without a log-in"))
        }

        @Test func `commands at the same time do not burn the session`() throws {
            let office = try Office()
            try office.person("ann")
            _ = try steward(office, "login ann", typing: [Office.password])

            let programs = try (0..<6).map { _ in
                try office.system.spawn(tool: "steward", ["whoami", "--json"])
            }

            for program in programs { #expect(try program.waitForEnd() == .exited(0)) }
            #expect(try steward(office, "whoami").end == .exited(0))
            #expect(
                try office.system.query(
                    .account, "SELECT count(*) FROM session WHERE ended = 0") == [["1"]])
        }

        @Test func `sites, roles and carers are set up by hand`() throws {
            let office = try Office()
            try office.person("ann")
            try office.person("child")

            #expect(
                try steward(office, "site create Harbour --zone Europe/Berlin --area Kitchen").end
                    == .exited(0))
            let role = try steward(
                office, "role grant ann crew --site harbour --area Kitchen")
            #expect(role.out.hasPrefix("ann: crew at "))
            #expect(try steward(office, "carer add ann child").out == "ann now cares for child\n")
            #expect(try steward(office, "role list").out.contains("Kitchen"))
            #expect(try steward(office, "account list").out.contains("child"))
            #expect(try steward(office, "account audit").out.contains("carer added"))
            #expect(try steward(office, "organisation list").out.contains("by invitation"))
            #expect(try steward(office, "account disable ann").out == "ann is disabled\n")
            #expect(
                try steward(office, "role revoke ann crew --site harbour --area Kitchen").out
                    == "ann: no role\n")
        }
    }
}
