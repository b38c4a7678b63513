/// The routes of the server: each path with its method, and the place to which it leads.
public struct RouteTable<Place: Sendable>: Sendable {
    /// A path and its method.
    public struct Route: Sendable {
        /// The method.
        public let method: Request.Method
        /// The path; a part in braces stands for any text: `/alerts/{id}`.
        public let pattern: String
        /// The most bytes of a body.
        public let bodyLimit: Int
        /// Where it leads.
        public let place: Place
        let parts: [Substring]

        /// Makes a route.
        ///
        /// - Parameters:
        ///   - method: GET, which stands for HEAD too, or POST.
        ///   - pattern: the path.
        ///   - bodyLimit: the most bytes of a body.
        ///   - place: where it leads.
        public init(
            _ method: Request.Method, _ pattern: String, bodyLimit: Int = 0, _ place: Place
        ) {
            (self.method, self.pattern, self.place) = (method, pattern, place)
            self.bodyLimit = bodyLimit
            parts = pattern.split(separator: "/")
        }

        /// The texts in place of the braces; nil when the path is another one.
        func matches(_ path: [String]) -> [String: String]? {
            guard path.count == parts.count else { return nil }
            var values: [String: String] = [:]
            for (part, text) in zip(parts, path) {
                if part.first == "{" {
                    values[String(part.dropFirst().dropLast())] = text
                } else if part != text {
                    return nil
                }
            }
            return values
        }
    }

    /// The result of looking up a path and a method.
    public enum Match: Sendable {
        /// A route, and the texts in place of the braces.
        case found(Route, values: [String: String])
        /// Nothing is there.
        case unknown
        /// Something is there, with other methods.
        case otherMethods([Request.Method])

        /// Where it leads; nil for nowhere.
        public var place: Place? {
            if case .found(let route, _) = self { route.place } else { nil }
        }
    }

    /// The routes, in their order.
    public let routes: [Route]

    /// Makes a table. The first route that matches counts.
    public init(_ routes: [Route]) { self.routes = routes }

    /// Finds where a request leads.
    public func find(_ method: Request.Method, _ parts: [String]) -> Match {
        let wanted = method == .head ? .get : method
        var others: [Request.Method] = []
        for route in routes {
            guard let values = route.matches(parts) else { continue }
            if route.method == wanted { return .found(route, values: values) }
            others += route.method == .get ? [.get, .head] : [route.method]
        }
        return others.isEmpty ? .unknown : .otherMethods(others)
    }
}
