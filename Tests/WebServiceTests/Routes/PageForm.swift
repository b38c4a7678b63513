import HTTPExchange

extension RouteTable {
    /// The paths of a method, with values for what stands in braces; `x` for what has none.
    func paths(_ method: Request.Method, with values: [String: String]) -> [String] {
        routes.filter { $0.method == method }.map { route -> String in
            let parts = route.pattern.split(separator: "/").map { part -> String in
                guard part.first == "{" else { return String(part) }
                return values[String(part.dropFirst().dropLast())] ?? "x"
            }
            return "/" + parts.joined(separator: "/")
        }
    }

    /// The pattern of the route to a path; nil if there is none.
    func pattern(_ method: Request.Method, _ path: String) -> String? {
        guard let target = Target(path), case .found(let route, _) = find(method, target.parts)
        else { return nil }
        return route.pattern
    }
}

/// A form as a browser finds it in a page.
struct PageForm {
    let method: Request.Method
    let action: String
    /// The names of its fields, with the values that they have.
    let fields: [(name: String, value: String)]

    /// The forms of a page.
    static func all(in html: String) -> [PageForm] {
        html.matches(of: /(?s)<form([^>]*)>(.*?)<\/form>/).map { found in
            let attributes = HostileText.attributes(String(found.1))
            return PageForm(
                method: attributes["method"] == "post" ? .post : .get,
                action: attributes["action"] ?? "", fields: fields(in: String(found.2)))
        }
    }

    private static func fields(in html: String) -> [(name: String, value: String)] {
        let inputs = html.matches(of: /<input([^>]*)>/).map { found in
            let attributes = HostileText.attributes(String(found.1))
            return (name: attributes["name"] ?? "", value: attributes["value"] ?? "")
        }
        let choices = html.matches(of: /(?s)<select([^>]*)>(.*?)<\/select>/).map { found in
            let option = String(found.2).firstMatch(of: /<option([^>]*)>/).map { String($0.1) }
            return (
                name: HostileText.attributes(String(found.1))["name"] ?? "",
                value: HostileText.attributes(option ?? "")["value"] ?? ""
            )
        }
        return (inputs + choices).filter { !$0.name.isEmpty }
    }

    /// What a browser sends if a person typed something into one of the fields.
    func sent(_ text: String, in field: String) -> String {
        fields.map { name, value in
            Target.encoded(name) + "=" + Target.encoded(name == field ? text : value)
        }.joined(separator: "&")
    }
}
