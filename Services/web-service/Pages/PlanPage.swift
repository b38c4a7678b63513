import FloorPlan
import HTTPExchange
import Markup
import Messages
import Phrases
import PlanDrawing

/// The parts of a plan to show, according to the address of its page.
struct PlanWish: Hashable, Sendable {
    var dimensions = true
    var labels = true
    var corners = true
    /// Where the chair can go.
    var reach = false
    var repairs = false

    /// Reads a query. A form names what it wants, so what it doesn't name is not wanted.
    init(_ query: Fields) {
        repairs = query["repairs"] == "yes"
        guard query["chosen"] != nil else { return }
        dimensions = query["dimensions"] == "yes"
        labels = query["labels"] == "yes"
        corners = query["corners"] == "yes"
        reach = query["reach"] == "yes"
    }

    /// The query of an address with the same meaning.
    var query: String {
        let all = [
            ("dimensions", dimensions), ("labels", labels), ("corners", corners), ("reach", reach),
        ]
        return "chosen=1" + all.filter(\.1).map { "&\($0.0)=yes" }.joined()
    }

    /// The order for its drawing, which prints the date of the last change.
    func order(_ plan: Plan, _ language: Language, changedOn date: String) -> DrawingTable.Order {
        DrawingTable.Order(
            plan: plan.id, revision: plan.revision, changed: plan.changed, dimensions: dimensions,
            labels: labels, corners: corners, reach: reach, language: language.rawValue,
            date: date)
    }
}

/// A plan with its findings, next to the drawing and marked in it.
struct PlanPage: Sendable {
    let visit: Visit
    let frame: Frame
    let plan: Plan
    /// Nil if the check has not answered in time.
    let check: PlanCheck?
    let wish: PlanWish
    let isEmpty: Bool

    private var words: Words<WebPhrase> { Words(frame.language) }
    private var findings: PlanFindings {
        PlanFindings(
            check: check, language: frame.language,
            repairs: wish.repairs ? nil : path + "?" + wish.query + "&repairs=yes")
    }
    private var path: String { "/plan/" + Target.encoded(plan.id) }

    /// The page for a drawing.
    func response(_ picture: PlanPicture) -> Response {
        let details = plan.details ?? PlanDetails()
        var head = [tag("h1", [:], .text(details.name))]
        let facts = [details.address, details.client, details.description].filter { !$0.isEmpty }
        if !facts.isEmpty {
            head.append(tag("p", ["class": "lead"], .text(facts.joined(separator: " · "))))
        }
        head.append(tag("p", ["class": "state", "id": "state", "role": "status", "hidden": ""]))
        return frame.page(
            head + [
                tag(
                    "div", ["class": "plan", "id": "plan", "data-revision": "\(plan.revision)"],
                    drawn(picture, details), findings.section),
                saving,
            ])
    }

    // MARK: The drawing

    private func drawn(_ picture: PlanPicture, _ details: PlanDetails) -> Node {
        guard !isEmpty else {
            return tag("p", ["class": "empty sheet"], .text(words.say(.planEmpty)))
        }
        let (width, height) = (picture.drawing.width, picture.drawing.height)
        let image = tag(
            "img",
            [
                "src": path
                    + "/drawing.svg?revision=\(plan.revision)&changed=\(plan.changed)"
                    + "&language=\(words.language.rawValue)&" + wish.query,
                "width": "\(Int(width * 4))", "height": "\(Int(height * 4))",
                "alt": words.say(.drawingOf, ["name": details.name]), "draggable": "false",
            ])
        let marks = tag(
            "svg",
            ["viewBox": "0 0 \(number(width)) \(number(height))", "aria-hidden": "true"],
            placed(picture))
        let buttons = [
            ("larger", WebPhrase.zoomIn, "+"), ("smaller", .zoomOut, "−"), ("all", .zoomFit, ""),
        ].map { id, phrase, sign in
            tag(
                "button",
                [
                    "type": "button", "data-zoom": id,
                    "aria-label": sign.isEmpty ? nil : words.say(phrase),
                ],
                .text(sign.isEmpty ? words.say(phrase) : sign))
        }
        let lock = tag(
            "button", ["type": "button", "data-lock": "", "aria-pressed": "false"],
            .text(words.say(.lockView)))
        return tag(
            "section", ["class": "sheet", "aria-label": words.say(.drawing)],
            tag("div", ["class": "tools", "hidden": "", "id": "tools"], buttons + [lock]),
            tag(
                "div",
                [
                    "class": "view", "id": "view", "tabindex": "0", "role": "group",
                    "aria-label": words.say(.drawingOf, ["name": details.name]),
                ], tag("div", ["class": "paper"], image, marks)),
            choices)
    }

    /// The marks of findings: a full square fails, an empty one fails only for the chair, a circle
    /// is uncertain, as in the drawing that is saved.
    private func placed(_ picture: PlanPicture) -> [Node] {
        var counts: [PlanPoint: Int] = [:]
        return findings.listed.enumerated().compactMap { index, finding in
            guard let at = finding.at else { return nil }
            let shift = Double(counts[at, default: 0]) * 4.6
            counts[at, default: 0] += 1
            let spot = picture.spot(of: at)
            guard (0...picture.drawing.width).contains(spot.x),
                (0...picture.drawing.height).contains(spot.y)
            else { return nil }
            let (x, y) = (spot.x + shift, spot.y)
            let kind = PlanFindings.kind(finding)
            let shape =
                kind == "doubt"
                ? tag("circle", ["cx": number(x), "cy": number(y), "r": "2.1"])
                : tag(
                    "rect",
                    ["x": number(x - 2.1), "y": number(y - 2.1), "width": "4.2", "height": "4.2"])
            return tag(
                "g", ["class": "mark " + kind, "data-finding": "\(index + 1)"], shape,
                tag("text", ["x": number(x), "y": number(y + 0.9)], .text("\(index + 1)")))
        }
    }

    /// A length with two decimals, as SVG reads it.
    private func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(Double(hundredths) / 100)"
    }

    private var choices: Node {
        var wishes: [(name: String, phrase: WebPhrase, isOn: Bool)] = [
            ("dimensions", .dimensions, wish.dimensions), ("labels", .labels, wish.labels),
            ("corners", .corners, wish.corners),
        ]
        if plan.details?.chair.isEmpty == false {
            wishes.append(("reach", .chairReach, wish.reach))
        }
        let boxes = wishes.map { name, phrase, isOn in
            tag(
                "label", [:],
                tag(
                    "input",
                    [
                        "type": "checkbox", "name": name, "value": "yes",
                        "checked": isOn ? "" : nil,
                    ]), tag("span", [:], .text(words.say(phrase))))
        }
        return tag(
            "form", ["method": "get", "action": path, "class": "choices", "id": "choices"],
            [tag("input", ["type": "hidden", "name": "chosen", "value": "1"])] + boxes
                + [tag("button", [:], .text(words.say(.show)))])
    }

    // MARK: Files

    private var saving: Node {
        let query = "?" + wish.query
        let links = [
            ("PDF", "plan.pdf"), ("PNG", "plan.png"), ("SVG", "plan.svg"), (".nav", "plan.nav"),
            (words.say(.saveReport), "report.pdf"),
        ].map { name, file in
            tag(
                "a", ["class": "button", "href": path + "/" + file + query, "download": ""],
                .text(name))
        }
        return tag(
            "section", ["class": "saving"], tag("h2", [:], .text(words.say(.saveAs))),
            tag("p", ["class": "row"], links))
    }
}
