import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    static func drawPlan(_ user: JSONUser) throws {
        let script = user.system.path("study.plan")
        try "room Study --at 9000,0 --size 3000x3000 --walls 100\n"
            .write(toFile: script, atomically: true, encoding: .utf8)
        for line in [
            "plan create Home", "plan details --standard tek17",
            "plan room Bath --at 0,0 --size 3000x3000 --walls 100 --use bathroom",
            "plan door room-1-wall-1 --offset 400 --width 800 --clear 700 --entrance",
            "plan window room-1-wall-2 --offset 300 --width 900 --sill 90cm",
            "plan passage room-1-wall-3 --offset 300 --width 900",
            "plan add bed --at 1600,1500 --size 900x2000",
            "plan wheelchair --at 5000,1500 --size 650x1100",
            "plan wall --from 20000,0 --to 24000,0 --to 24000,3000",
            "plan library keep wheelchair-1 Mine", "plan library list",
            "plan place Mine --at 6000,5000 --as spare", "plan run '\(script)'",
            "plan run '\(script)' --check",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
    }

    static func changePlan(_ user: JSONUser) throws {
        for line in [
            "plan move spare --north 1m", "plan resize spare --size 700x1000",
            "plan rotate spare --by 90", "plan copy-item spare --by 2000,0 --as second",
            "plan remove second", "plan label spare Guest", "plan change spare --height 1200",
            "plan dock door-1 --offset 500", "plan length wall-2 2m",
            "plan turn wall-1 --by 10", "plan angle wall-2 wall-1 --to 90",
            "plan corner wall-1:start --to 20000,100", "plan undo", "plan redo", "plan history",
            "plan library remove Mine",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
    }

    static func lookAtPlan(_ user: JSONUser) throws {
        let file = { (ending: String) in "'" + user.system.path("home." + ending) + "'" }
        for line in [
            "plan show", "plan list", "plan use Home", "plan draw", "plan view zoom in",
            "plan view pan --east 1m", "plan view fit", "plan view lock", "plan view unlock",
            "plan view show", "plan standards", "plan reach --chair wheelchair-1",
            "plan export \(file("nav"))", "plan report \(file("html"))",
            "plan import \(file("nav")) --name Second", "plan copy Third",
            "plan delete Third --yes", "plan use Home", "plan send ann@example.org",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        let findings = try user.show("plan check --repairs").first?["findings"] as? [[String: Any]]
        let mended = findings?.first {
            let repairs = $0["repairs"] as? [[String: Any]]
            return (repairs?.first?["actions"] as? [Any])?.isEmpty == false
        }
        let id = try #require(mended?["id"] as? String)
        #expect(try user.show("plan repair \(id)").count == 1)
    }

    static func keepCatalogue(_ user: JSONUser) throws {
        let path = user.system.path("products.json")
        try """
        {"id":"p1","title":"Stol","hmsArtNr":"91","status":"ACTIVE","supplier":{"name":"Hjul AS"},\
        "isoCategory":"12220302","updated":"2025-01-01T00:00:00",\
        "data":[{"key":"Totalbredde","value":"66,5","unit":"cm"},\
        {"key":"Totallengde","value":"107","unit":"cm"}]}
        """.write(toFile: path, atomically: true, encoding: .utf8)
        for line in [
            "catalogue import '\(path)'", "catalogue find stol", "catalogue show 91",
            "plan product 91 --at 6000,9000",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
    }
}
