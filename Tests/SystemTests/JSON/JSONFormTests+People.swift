import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    static func lookAfter(_ user: JSONUser) throws {
        let copy = user.system.path("copy")
        let keys = "--directory '\(user.system.path("ring"))'"
        for line in [
            "backup '\(copy)'", "keys init \(keys)",
            "keys add laptop --role gateway \(keys)", "keys list \(keys)",
            "keys revoke laptop \(keys)", "jobs list",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        let elsewhere = try JSONUser(of: System())
        let checked = try elsewhere.show("restore '\(copy)' --check")
        #expect(checked.allSatisfy { $0["state"] as? String == "good" } && !checked.isEmpty)
        user.add(elsewhere)
        let job = try #require(try user.rows("jobs list").first?["id"] as? String)
        #expect(try user.show("dead-letters list").isEmpty)
        for line in [
            "jobs cancel \(job)", "jobs retry \(job)", "dead-letters retry 1",
            "dead-letters drop 1", "followers forget nobody --service account-service",
        ] { try user.attempt(line) }
    }

    static func manage(_ user: JSONUser) throws {
        let password = "correct horse battery"
        for name in ["ann", "bob"] {
            let invited = try user.show("user invite --role crew --site Harbour")
            let code = try #require(invited.first?["code"] as? String)
            let made = try user.show("user sign-up \(name)", typing: "\(code)\n\(password)\n")
            #expect(made.first?["name"] as? String == name)
        }
        for line in [
            "user list", "user disable bob", "user enable bob", "user audit",
            "role grant bob shift-manager --site Harbour", "role list",
            "role revoke bob shift-manager --site Harbour", "carer add ann bob",
            "account export '\(user.system.path("mine"))'",
            "carer remove ann bob", "user reset bob", "organisation sign-up closed",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        #expect(try user.show("login ann", typing: password + "\n").count == 1)
        #expect(try user.show("passwd", typing: "\(password)\n\(password) 2\n").count == 1)
        for line in ["whoami", "sessions", "web open", "logout"] {
            #expect(try user.show(line).count == 1, "\(line)")
        }
    }
}
