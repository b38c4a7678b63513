import HTTPExchange
import Markup
import Messages
import Phrases

/// The list of plans, with a search.
struct PlansPage {
    let visit: Visit
    let person: Person
    /// The text searched for.
    let text: String
    let found: Plans

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.plans), person: person)
        var content = [
            tag("h1", [:], .text(words.say(.plans))),
            tag("p", ["class": "lead"], .text(words.say(.plansLead))),
            tag(
                "form", ["method": "get", "action": "/plans", "class": "search", "role": "search"],
                tag("label", ["for": "text"], .text(words.say(.planSearch))),
                tag(
                    "input",
                    ["id": "text", "name": "text", "type": "search", "value": text]),
                tag("button", [:], .text(words.say(.search)))),
            list(found.plans),
        ]
        if found.more {
            content.append(tag("p", ["class": "empty"], .text(words.say(.morePlans))))
        }
        return frame.page(content)
    }

    private func list(_ plans: [Plan]) -> Node {
        guard !plans.isEmpty else {
            return tag("p", ["class": "empty"], .text(words.say(.noPlan)))
        }
        return tag("ul", ["class": "cards"], plans.map(card))
    }

    private func card(_ plan: Plan) -> Node {
        let details = plan.details ?? PlanDetails()
        var lines = [details.address, details.client].filter { !$0.isEmpty }.map {
            tag("p", [:], .text($0))
        }
        lines.append(
            tag(
                "p", ["class": "hint"],
                .text(words.say(.planThings, ["count": "\(plan.items)"]) + " · "),
                .text(
                    words.say(
                        .changedBy, ["time": person.moment(plan.changed), "name": plan.changedBy])))
        )
        return tag(
            "li", ["class": "card"],
            tag(
                "div", [:],
                [
                    tag(
                        "h2", [:],
                        tag(
                            "a", ["href": "/plan/" + Target.encoded(plan.id)],
                            .text(details.name)))
                ] + lines))
    }
}
