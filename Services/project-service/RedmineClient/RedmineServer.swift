import RedmineMirror
import WebClient

/// Why a server could not be reached, or did not do what was requested.
package enum RedmineProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It can't be reached; it has done nothing.
    case unreachable(String)
    /// The answer is missing; the request may have been carried out.
    case unanswered(String)
    /// It is overloaded or failing at the moment; it may be asked again after this many seconds.
    case busy(String, after: Int?)
    /// It does not accept the key.
    case loggedOut
    /// The person who is logged in may not do it, or may not see it.
    case denied
    /// It isn't there.
    case missing
    /// It refuses the request, for these reasons in its own language.
    case refused([String])
    /// It isn't a Redmine server, or its answer can't be understood.
    case strange(String)
    /// It has what was asked for, but that can't be kept here, because it is too large for one.
    case unusable(String)

    /// What is wrong, in words for a person.
    package var description: String {
        switch self {
        case .unreachable(let reason): "the server can't be reached: \(reason)"
        case .unanswered(let reason): "the server did not answer: \(reason)"
        case .busy(let reason, _): "the server can't answer now: \(reason)"
        case .loggedOut: "the server does not accept the log-in"
        case .denied: "the server doesn't allow this to the user who is logged in"
        case .missing: "the server has no such thing"
        case .refused(let reasons):
            reasons.isEmpty
                ? "the server refuses it because of another change"
                : "the server refuses it: " + reasons.joined(separator: "; ")
        case .strange(let reason): "it doesn't answer like a Redmine server: \(reason)"
        case .unusable(let reason): "what the server has can't be kept here: \(reason)"
        }
    }

    /// True if it may resolve itself soon.
    package var isPassing: Bool {
        switch self {
        case .unreachable, .unanswered, .busy, .strange: true
        case .loggedOut, .denied, .missing, .refused, .unusable: false
        }
    }
}

/// A Redmine server and a log-in at it. Each request waits for its answer, so it is sent outside
/// the loop.
package struct RedmineServer: Sendable {
    /// How the server knows who is asking.
    package enum LogIn: Hashable, Sendable {
        case key(String)
        case password(user: String, password: String)
    }

    /// Where a server may be. The address that a name resolves to is validated at each exchange.
    package enum Reach: Hashable, Sendable {
        /// On the Internet.
        case outside
        /// There, on this machine and in private networks.
        case everywhere
    }

    package let address: RedmineAddress
    private let logIn: LogIn
    private let reach: Reach
    /// The time after which no more requests are sent, so that a server that answers slowly keeps
    /// nobody else waiting; nil for none.
    package var deadline: ContinuousClock.Instant?
    private let connections = WebConnections()

    package init(_ address: RedmineAddress, _ logIn: LogIn, _ reach: Reach) {
        self.address = address
        self.logIn = logIn
        self.reach = reach
    }

    /// Asks who is logged in. Only this query distinguishes a wrong key from a right one: anyone
    /// gets lists, with what everyone may see.
    package func user() throws(RedmineProblem) -> RemoteUser {
        do {
            return try get("/users/current.json", read: RedmineReader.user)
        } catch .missing {
            throw .strange("there is no /users/current.json")
        } catch .denied {
            throw .refused([
                "its REST API is switched off, or the password has to be changed there first"
            ])
        } catch .unusable(let reason) {
            throw .strange(reason)
        }
    }

    /// Asks for something.
    ///
    /// - Parameters:
    ///   - path: such as `/issues.json`.
    ///   - query: names and values.
    ///   - read: reads the answer.
    package func get<Answer>(
        _ path: String, _ query: KeyValuePairs<String, String> = [:],
        read: ([UInt8]) throws(RedmineFault) -> Answer
    ) throws(RedmineProblem) -> Answer {
        let body = try ask("GET", address.of(path, query), nil)
        do { return try read(body) } catch {
            throw error.isOfThing ? .unusable(error.description) : .strange(error.description)
        }
    }

    /// Creates, changes or removes something.
    ///
    /// - Returns: the answer, which may be empty.
    package func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil
    ) throws(RedmineProblem) -> [UInt8] {
        try ask(method, address.of(path), body)
    }

    private func ask(
        _ method: String, _ address: String, _ body: [UInt8]?
    ) throws(RedmineProblem) -> [UInt8] {
        if let deadline, deadline <= .now {
            throw .unreachable("its answers take too long")
        }
        var headers = ["Accept: application/json"]
        var user: (name: String, password: String)?
        switch logIn {
        case .key(let key): headers.append("X-Redmine-API-Key: \(key)")
        case .password(let name, let password): user = (name, password)
        }
        if body != nil { headers.append("Content-Type: application/json") }
        var exchange = WebExchange(
            method, address, headers: headers,
            limits: WebExchange.Limits(bytes: RedmineLimit.answer))
        (exchange.user, exchange.body) = (user, body)
        if reach == .outside { exchange.reach = .outside }
        switch exchange.perform(on: connections) {
        case .outOfReach:
            throw .unreachable(
                reach == .outside
                    ? "its address is a private one, which the operator has not allowed"
                    : "its address may not be reached")
        case .failure(let reason, let mayBeDone):
            throw mayBeDone ? .unanswered(reason) : .unreachable(reason)
        case .answer(let answer):
            return try Self.judge(answer, isQuestion: method == "GET")
        }
    }

    private static func judge(
        _ answer: WebExchange.Answer, isQuestion: Bool
    ) throws(RedmineProblem) -> [UInt8] {
        let (code, type, body) = (answer.code, answer.type, answer.body)
        switch code {
        case 204: return []
        case 200, 201:
            guard !body.isEmpty || !isQuestion else { throw .strange("its answer is empty") }
            // Captive portals and log-in pages answer everything with status 200.
            guard body.isEmpty || type.hasPrefix("application/json") else {
                throw .strange("it sends \(type.isEmpty ? "something" : type), not JSON")
            }
            return body
        case 401: throw .loggedOut
        case 403: throw .denied
        case 404: throw .missing
        case 300..<400: throw .strange("it redirects (\(code)); use the address it redirects to")
        case 409, 422: throw .refused(RedmineReader.errors(body))
        case 429, 500...: throw .busy("it answers \(code)", after: answer.retryAfter)
        default: throw .strange("it answers \(code)")
        }
    }
}
