import Foundation
import Messages
import TestSupport
import Testing

@testable import RideSources

/// Tests what is read from files of landmarks, and what is refused.
@Suite struct LandmarkFileTests {
    private func read(_ text: String, type: String? = nil) throws -> LandmarkFile {
        try LandmarkFile(Array(text.utf8), type: type)
    }

    private func refusal(_ text: String) -> String {
        do throws(LandmarkFileError) {
            _ = try LandmarkFile(Array(text.utf8), type: nil)
            return "it was read"
        } catch { return "\(error.line) \(error.reason); \(error.cure)" }
    }

    @Test func `GeoJSON gives name, type, text, link and place`() throws {
        let file = try read(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"Old Mill","tourism":"Museum","nr":1,
             "description":"Grinds on Sundays","website":"HTTPS://mill.example/a"},
             "geometry":{"type":"Point","coordinates":[-0.28,54.9,12]}},
            {"type":"Feature","properties":{"NAME":"Park","leisure":"park"},
             "geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2]]]}},
            {"type":"Feature","properties":{"tourism":"viewpoint"},
             "geometry":{"type":"Point","coordinates":[1,1]}},
            {"type":"Feature","properties":{"name":"Nowhere"},"geometry":null}]}
            """)

        #expect(
            file.landmarks == [
                Landmark(
                    type: "museum", name: "Old Mill", text: "Grinds on Sundays",
                    link: "https://mill.example/a",
                    place: Coordinate(latitudeE7: 549_000_000, longitudeE7: -2_800_000)),
                Landmark(
                    type: "park", name: "Park",
                    place: Coordinate(latitudeE7: 10_000_000, longitudeE7: 10_000_000)),
            ])
        #expect(file.skipped == 2)
    }

    @Test(
        arguments: [
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"Park","leisure":"park"},"geometry":
             {"type":"Polygon","coordinates":[[[179.99,0],[-179.97,0],[-179.97,2],[179.99,2]]]}}]}
            """,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <osm version="0.6">
             <node id="2" lat="0" lon="179.99"/><node id="3" lat="0" lon="-179.97"/>
             <node id="4" lat="2" lon="-179.97"/><node id="5" lat="2" lon="179.99"/>
             <way id="1"><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="5"/>
              <tag k="name" v="Park"/><tag k="leisure" v="park"/></way>
            </osm>
            """,
        ])
    func `an area on both sides of the date line is where it is`(text: String) throws {
        #expect(
            try read(text).landmarks.map(\.place) == [
                Coordinate(latitudeE7: 10_000_000, longitudeE7: -1_799_900_000)
            ])
    }

    @Test func `OpenStreetMap's XML gives things with a name and a known tag`() throws {
        let file = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <osm version="0.6"><bounds minlat="54" minlon="-1" maxlat="55" maxlon="0"/>
             <node id="1" lat="54.9" lon="-0.28"><tag k="name" v="Old Mill"/>
              <tag k="tourism" v="museum"/><tag k="website" v="https://mill.example/"/></node>
             <node id="2" lat="0" lon="0"/><node id="3" lat="0" lon="2"/>
             <node id="4" lat="2" lon="2"/><node id="5" lat="2" lon="0"/>
             <node id="6" lat="1" lon="1"><tag k="amenity" v="bench"/></node>
             <way id="1"><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="5"/>
              <tag k="name" v="Park"/><tag k="leisure" v="park"/></way>
             <way id="2"><nd ref="2"/><nd ref="3"/><tag k="name" v="High Street"/>
              <tag k="highway" v="residential"/></way>
             <way id="3"><nd ref="99"/><tag k="name" v="Castle"/>
              <tag k="historic" v="castle"/></way>
             <relation id="1"><tag k="name" v="Forest"/><tag k="natural" v="wood"/></relation>
            </osm>
            """)

        #expect(
            file.landmarks == [
                Landmark(
                    type: "museum", name: "Old Mill", link: "https://mill.example/",
                    place: Coordinate(latitudeE7: 549_000_000, longitudeE7: -2_800_000)),
                Landmark(
                    type: "park", name: "Park",
                    place: Coordinate(latitudeE7: 10_000_000, longitudeE7: 10_000_000)),
            ])
        // The castle's corners are in another file, and the forest is a relation.
        #expect(file.skipped == 2)
    }

    @Test func `CSV cells may contain quotation marks, commas and line breaks`() throws {
        let file = try read(
            "\u{FEFF}Name,latitude,longitude,text,link,type\r\n"
                + "\"Mill, the \"\"old\"\"\",54.9,-0.28,\"Two\nlines\",ftp://x/,Water Mill\r\n\r\n",
            type: nil)

        let mill = try #require(file.landmarks.first)
        #expect(file.landmarks.count == 1)
        #expect(mill.name == "Mill, the \"old\"")
        #expect(mill.text == "Two\nlines")
        #expect(mill.link == "")
        #expect(mill.type == "water-mill")
    }

    @Test func `a given type applies to all landmarks`() throws {
        #expect(
            try read("name,latitude,longitude,type\nA,1,2,x", type: "castle").landmarks[0].type
                == "castle")
    }

    @Test(
        arguments: [
            ("", "0 has no landmark"), ("{\"type\":", "1 isn't GeoJSON"),
            ("{\"features\":[{\"properties\":{}}]}", "0 has no landmark"),
            ("<gpx></gpx>", "0 begins with <gpx>, not with <osm>"),
            ("<osm><node id='1' lat='1'", "0 isn't OpenStreetMap XML: line 1"),
            (
                "<!DOCTYPE osm [<!ENTITY a 'b'>]><osm/>",
                "0 isn't OpenStreetMap XML: line 1 declares a document type"
            ),
            (
                "<osm><node lat='nan'><tag k='name' v='A'/><tag k='shop' v='x'/></node></osm>",
                "0 has no landmark"
            ),
            ("name,lat,lon\nA,1,2", "1 has no column “latitude”"),
            ("name,latitude,longitude\nA,91,2", "2 has no place in decimal degrees"),
            ("name,latitude,longitude\nA,1,2\nB,north,2", "3 has no place in decimal degrees"),
        ])
    func `an unusable landmark is refused with its line`(text: String, reason: String) {
        #expect(refusal(text).hasPrefix(reason), "\(refusal(text))")
    }

    @Test func `more landmarks than a set may have are refused`() {
        let rows = String(repeating: "A,1,2\n", count: LandmarkFile.most + 1)

        #expect(refusal("name,latitude,longitude\n" + rows).contains("more than 200000 landmarks"))
    }

    @Test(
        .enabled(
            if: Recordings.folder("transit") != nil,
            "\(Recordings.variable) names no folder with landmarks"))
    func `the landmarks of a real city are read`() throws {
        let folder = try #require(Recordings.folder("transit")).appending(path: "landmarks-dc")
        var count = 0
        for name in ["museums-in-dc", "historic-landmarks-points", "washington-dc-public-art"] {
            let url = folder.appending(path: name + ".geojson")
            count += try LandmarkFile([UInt8](Data(contentsOf: url)), type: "sight").landmarks.count
        }
        #expect(count > 800)
    }

    @Test func `a landmark whose name is slow to compare is left out`() throws {
        let marks = String(repeating: "\u{301}", count: 31)
        // The quotation marks aren't part of the name, so that the marks follow each other.
        let parts = String(repeating: "\"\u{301}\"\u{301}", count: 16)
        let column = "e" + String(repeating: "\u{301}", count: 300_000)

        let table = try read(
            """
            name,latitude,longitude,text,\(column)
            e\(marks),1,2,,
            e\(parts),1,2,,
            Mill,1,2,e\(marks),
            """)
        let json = try read(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"e\(marks)"},
             "geometry":{"type":"Point","coordinates":[1,2]}},
            {"type":"Feature","properties":{"name":"Mill"},
             "geometry":{"type":"Point","coordinates":[1,2]}}]}
            """)

        #expect(table.landmarks.map(\.name) == ["Mill"] && table.skipped == 2)
        #expect(table.landmarks.first?.text == "")
        #expect(json.landmarks.map(\.name) == ["Mill"] && json.skipped == 1)
    }
}
