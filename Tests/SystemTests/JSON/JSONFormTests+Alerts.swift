import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    /// Runs the commands with which a person sets how alerts reach them.
    static func hear(_ user: JSONUser) throws {
        let server = try WebServer(in: user.system)
        for line in [
            "alerts channel add phone --webhook \(server.url("/hook")) --from info",
            "alerts channel list", "alerts channel test phone",
            "alerts quiet --from 22:00 --until 7:00 --zone Europe/Oslo", "alerts quiet",
            "alerts quiet --off", "alerts digest --at 7:00 --zone Europe/Oslo",
            "alerts digest --off",
            "alerts silence --source plan-service --for 2h",
        ] { #expect(try user.show(line).count == 1, "\(line)") }
        let silence = try user.show("alerts silences").first?["id"] as? String
        #expect(try user.show("alerts end-silence \(#require(silence))").count == 1)
        let alert = try user.rows("alerts list --all").first?["id"] as? String
        let trace = try user.show("alerts show \(#require(alert))")
        #expect((trace.first?["deliveries"] as? [Any])?.count == 1)
        #expect(try user.show("alerts channel remove phone").count == 1)
        #expect(try server.requests().count == 1)
        try call(user)
    }

    /// Runs the commands of an administrator about alerts for several people.
    private static func call(_ user: JSONUser) throws {
        for line in [
            "alerts policy add p --kind call --step administrator+10m=urgent", "alerts policy list",
            "alerts policy remove p", "alerts maintenance begin --kind x --for 2h",
        ] { #expect(try user.show(line).count == 1, "\(line)") }
        let window = try user.show("alerts maintenance list").first?["id"] as? String
        #expect(try user.show("alerts maintenance end \(#require(window))").count == 1)
        let call = try user.show("alerts call raise everyone Come").first?["id"] as? String
        let id = try #require(call)
        #expect(try user.show("alerts call list").first?["id"] as? String == id)
        let trace = try user.show("alerts call show \(id)")
        #expect((trace.first?["people"] as? [Any])?.isEmpty == false)
        #expect(try user.show("alerts call withdraw \(id)").count == 1)
    }
}
