import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct SecretTests {
        @Test func `no secret is in the store or in a log at debug level`() throws {
            let office = try Office()
            office.service.kill()
            let program = try office.system.launch(
                "account-service", adding: ["STEWARD_LOG": "trace"])
            try program.waitUntilReady()
            try office.person("ann")
            let logIn = try office.logIn("ann")
            let granted = try office.refresh(logIn.refreshToken)
            _ = try office.refusal(of: LogIn(name: "ann", password: "a wrong secret"))
            let invitation = try office.ask(Invite(), for: Invitation.self)
            let reset = try office.ask(ResetPassword(account: "ann"), for: ResetCode.self)

            let short = try office.ask(MakeLogInCode(), for: LogInCode.self)

            let texts = [
                Office.password, "a wrong secret", invitation.code, reset.code, short.code,
                short.code.filter { $0 != "-" }, invitation.code.filter { $0 != "-" },
                reset.code.filter { $0 != "-" },
            ]
            let secrets =
                texts.map { Data($0.utf8) }
                + [logIn.refreshToken, granted.refreshToken].map { Data($0) }
                + granted.tokens.values.map { Data($0) }
            let folder = office.system.path("data")
            var files = try FileManager.default.contentsOfDirectory(atPath: folder)
                .map { "\(folder)/\($0)" }
            files += try FileManager.default.contentsOfDirectory(atPath: office.system.directory)
                .filter { $0.hasSuffix(".err") || $0.hasSuffix(".out") }
                .map(office.system.path)
            #expect(files.count >= 5)
            for path in files {
                guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                for secret in secrets { #expect(bytes.range(of: secret) == nil, "\(path)") }
            }
        }

        @Test func `nobody else may read the store`() throws {
            let office = try Office()
            try office.restart()

            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: office.system.store(.account) + suffix)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }
}
