import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    /// What a person says of the ways by which alerts reach them.
    static func hear(_ user: JSONUser) throws {
        let server = try WebServer(in: user.system)
        for line in [
            "alerts channel add phone --webhook \(server.url("/hook")) --from info",
            "alerts channel list", "alerts channel test phone",
            "alerts quiet --from 22:00 --until 7:00 --zone Europe/Oslo", "alerts quiet",
            "alerts quiet --off", "alerts silence --source plan-service --for 2h",
        ] { #expect(try user.show(line).count == 1, "\(line)") }
        let silence = try user.show("alerts silences").first?["id"] as? String
        #expect(try user.show("alerts end-silence \(#require(silence))").count == 1)
        let alert = try user.rows("alerts list --all").first?["id"] as? String
        let trace = try user.show("alerts show \(#require(alert))")
        #expect((trace.first?["deliveries"] as? [Any])?.count == 1)
        #expect(try user.show("alerts channel remove phone").count == 1)
        #expect(try server.requests().count == 1)
    }
}
