import FloorPlan
import Foundation
import Messages
import Papers
import Testing

@testable import PlanDrawing

/// The legibility of drawings.
struct LegibilityTests {
    private static let askew = Homes.turned(Homes.flat, by: 30)

    @Test func `no letter is smaller than two millimetres`() throws {
        for items in [Homes.bathroom, Homes.flat, Self.askew] {
            for scale in [PictureOptions.Scale.automatic, .oneTo(100)] {
                let picture = try PictureTests.picture(
                    items, PictureOptions(scale: scale, date: "2026-11-21", revision: 3),
                    findings: ReportTests.findings, reach: ReportTests.reach)
                for text in PictureTests.texts(picture) {
                    #expect(text.size >= 2, "\(text.words)")
                }
            }
        }
    }

    @Test func `a home at an angle is measured along its walls`() throws {
        func chains(_ items: [PlanItem]) throws -> [String] {
            PictureTests.texts(try PictureTests.picture(items), ["dimensions"]).map(\.words)
        }
        for items in [Homes.bathroom, Homes.flat] {
            let upright = try chains(items)
            for degrees in [7.0, 30, -40] {
                let turned = try chains(Homes.turned(items, by: degrees))
                // Lengths inside rooms are placed elsewhere, and may be left out.
                for whole in items == Homes.flat ? ["820", "920"] : ["240", "260"] {
                    #expect(upright.contains(whole) && turned.contains(whole), "\(degrees)")
                }
            }
        }
    }

    @Test(arguments: [0.0, 7, 30, 45])
    func `a drawing is entirely on its sheet`(degrees: Double) throws {
        let picture = try PictureTests.picture(Homes.turned(Homes.flat, by: degrees))
        let window = picture.drawing.parts.compactMap(\.clip).first
        let box = try #require(window)
        for part in picture.drawing.parts where part.clip != nil {
            for mark in part.marks {
                guard case .path(let path, _) = mark.shape else { continue }
                for point in path.ends {
                    #expect(point.x >= box.x && point.x <= box.x + box.width, "\(part.name)")
                    #expect(point.y >= box.y && point.y <= box.y + box.height, "\(part.name)")
                }
            }
        }
    }

    @Test func `no line to a finding's place crosses the number of another`() throws {
        let place = PlanPoint(x: 1_100, y: 1_200)
        let findings = (1...12).map {
            PlanFinding(id: "\($0)", item: "bath", at: place, verdict: .fail)
        }
        let picture = try PictureTests.picture(Homes.bathroom, findings: findings)
        let marks = picture.drawing.parts.first { $0.name == "findings" }?.marks ?? []
        let line = marks.lastIndex { mark in
            if case .path(let path, let pen) = mark.shape {
                path.steps.count == 2 && pen.stroke != nil
            } else {
                false
            }
        }
        let number = marks.firstIndex { if case .text = $0.shape { true } else { false } }
        #expect(try #require(line) < #require(number))
    }

    @Test func `a long name is broken before it is cut`() throws {
        let name = "Living room with a fireplace and a view over the whole of the fjord"
        var items = Homes.flat.filter { $0.id != "living" }
        items.append(
            Homes.room(
                "living", name, .living,
                [(100, 100), (4_450, 100), (4_450, 3_950), (100, 3_950)]))
        let words = PictureTests.texts(try PictureTests.picture(items), ["labels"]).map(\.words)
        #expect(words.contains("Living room with a fireplace and"))
        #expect(words.contains("a view over the whole of the fjord"))
    }

    @Test func `a name written from right to left doesn't reverse a size`() throws {
        let items = [
            Homes.room("r", "Stue", .living, [(0, 0), (4_000, 0), (4_000, 3_000), (0, 3_000)]),
            Homes.element("e", .washbasin, "כיור", at: (1_000, 1_000), 600, 500),
        ]
        let words = PictureTests.texts(try PictureTests.picture(items), ["labels"]).map(\.words)
        #expect(words.contains("כיור\u{200E} 60 × 50"))
    }

    @Test func `a line from a name ends on its element, even if that is at an angle`() throws {
        let picture = try PictureTests.picture(Self.askew)
        let marks = picture.drawing.parts.filter { ["elements", "labels"].contains($0.name) }
            .flatMap(\.marks)
        var outlines: [String: [Vector]] = [:]
        var found = 0
        for mark in marks {
            guard case .path(let path, let pen) = mark.shape else { continue }
            let ends = path.ends.map { Vector($0.x, $0.y) }
            if outlines[mark.item] == nil { outlines[mark.item] = ends }
            guard path.steps.count == 2, pen.stroke == .grey else { continue }
            found += 1
            let outline = Polygon(outlines[mark.item] ?? [])
            #expect(outline.contains(ends[1]), "\(mark.item)")
        }
        #expect(found > 2)
    }

    @Test func `a name without room gets a letter, because numbers stand for findings`() throws {
        let things = (0..<30).map { index in
            Homes.element(
                "e\(index)", .cupboard, "Cupboard number \(index)",
                at: (Int32(index % 6) * 310 + 200, Int32(index / 6) * 310 + 200), 300, 300)
        }
        let room = Homes.room(
            "r", "Bod", .storage, [(0, 0), (1_900, 0), (1_900, 1_600), (0, 1_600)])
        let picture = try PictureTests.picture([room] + things)
        let legend = PictureTests.texts(picture, ["legend"]).map(\.words)
        let keys = PictureTests.texts(picture, ["labels"]).map(\.words)
            .filter { $0.count <= 2 }
        #expect(keys.contains("a"))
        for key in keys { #expect(legend.contains { $0.hasPrefix("\(key) ") }, "\(key)") }
        #expect(!legend.contains { $0.first?.isNumber == true })
    }
}

extension Drawing.Path {
    /// Where its lines and curves end.
    fileprivate var ends: [Drawing.Point] {
        steps.compactMap { step in
            switch step {
            case .move(let to), .line(let to), .curve(_, _, let to): to
            case .close: nil
            }
        }
    }
}
