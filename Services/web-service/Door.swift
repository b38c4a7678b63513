import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Markup
import Phrases
import ServiceRuntime
import Synchronization

/// Where requests come in: decides on the thread of the server which of them go on to the desk.
final class Door: Sendable {
    private struct SpeedLimits {
        var strangers = SpeedLimit<String>(burst: 100, perSecond: 10)
        /// By a hash of the proof that only this process can compute, because the proof itself,
        /// which opens a log-in, isn't kept in memory.
        var browsers = SpeedLimit<Int>(burst: 200, perSecond: 60)
        /// The proofs with which someone who is logged in was served.
        var welcome: Set<Int> = []
        /// How many requests with other proofs were counted as those of strangers.
        var unproven: [Int: Int] = [:]
        var logIns = SpeedLimit<String>(burst: 20, perSecond: 1 / 3)
        /// How many requests with a proof are being answered.
        var flights: [Int: Int] = [:]
    }

    /// The most requests of one log-in that are answered at the same time.
    private static let mostAtOnce = 20

    private let address: WebAddress
    private let files: FileShelf
    private let log: Log
    private let doorLog: DoorLog
    private let speedLimits = Mutex(SpeedLimits())
    /// Known once it listens: a setting of port 0 means any that is free.
    private let gate: Mutex<Gate>

    init(address: WebAddress, files: FileShelf, log: Log) {
        (self.address, self.files, self.log) = (address, files, log)
        doorLog = DoorLog(log)
        gate = Mutex(Gate(origins: address.origins, port: address.port))
    }

    /// Starts to listen, until the process ends.
    ///
    /// - Throws: an `Outage` when the address can't be used.
    @discardableResult
    func open() throws -> HTTPServer {
        let rules = HTTPRules(
            headers: Response.safety(isSecure: address.isSecure),
            admit: { [self] in admit($0) }, answer: { [self] in answer($0, $1) },
            refused: { [self] status, request in
                doorLog.refused(status, request.map { Self.line($0, Self.route($0)) } ?? "-")
            })
        var limits = HTTPLimits()
        // Other browsers come through a proxy, and programs of this machine aren't strangers.
        limits.manifold = address.proxies.union(["127.0.0.1", "::1"])
        do {
            let server = try HTTPServer(
                host: address.host, port: address.port, limits: limits, rules: rules)
            gate.withLock { $0 = Gate(origins: address.origins, port: server.port) }
            log.write(.info, "listening", [.bus: "\(address.host):\(server.port)"])
            return server
        } catch {
            throw Outage(
                exitCode: Outage.occupied,
                "web-service can't listen on \(address.host):\(address.port) (\(error)); stop what "
                    + "uses it, or choose another STEWARD_WEB_LISTEN")
        }
    }

    private func admit(_ request: Request) -> HTTPRules.Verdict {
        let found = Self.route(request)
        let verdict = judge(request, found)
        guard case .answer(let response) = verdict else { return verdict }
        let line = Self.line(request, found)
        if response.status.isRefusal {
            doorLog.refused(response.status, line)
        } else {
            doorLog.served(response, line)
        }
        return verdict
    }

    private static func route(_ request: Request) -> RouteTable<Place>.Match {
        Place.routes.find(request.method, request.target.parts)
    }

    /// A request as the log has it: its method and its route, because a path may say more.
    private static func line(_ request: Request, _ found: RouteTable<Place>.Match) -> String {
        guard case .found(let route, _) = found else { return "\(request.method.rawValue) -" }
        return "\(request.method.rawValue) \(route.pattern)"
    }

    private func judge(
        _ request: Request, _ found: RouteTable<Place>.Match
    ) -> HTTPRules.Verdict {
        let gate = gate.withLock { $0 }
        let sender: Gate.Sender = found.place == .positions ? .program : .page
        if let status = gate.refusal(request.method, request.headers, from: sender) {
            return .answer(.plain(status))
        }
        switch found {
        case .unknown:
            return .answer(FaultPage(.notFound, Visit(request, files)).response)
        case .otherMethods(let methods):
            let all = methods.map(\.rawValue).joined(separator: ", ")
            return .answer(
                FaultPage(.methodNotAllowed, Visit(request, files)).response.adding("Allow", all))
        case .found(let route, let values):
            if route.place == .files {
                let response = files.response(
                    version: values["version"] ?? "", name: values["name"] ?? "", request.headers)
                return .answer(response ?? .plain(.notFound))
            }
            if let seconds = wait(request, route.place) {
                let page = FaultPage(.tooMany, Visit(request, files), seconds: seconds)
                return .answer(page.response.adding("Retry-After", "\(seconds)"))
            }
            return .read(bodyLimit: route.bodyLimit)
        }
    }

    /// The seconds to wait before such a request is answered; nil if it is answered at once.
    private func wait(_ request: Request, _ place: Place) -> Int? {
        let now = WallClock.milliseconds()
        let source = source(of: request)
        let proof = proof(of: request)
        return speedLimits.withLock { limits in
            if [.logIn, .makeAccount].contains(place),
                let seconds = limits.logIns.count(source, at: now)
            {
                return seconds
            }
            if let proof {
                let key = proof.hashValue
                if let seconds = limits.browsers.count(key, at: now) { return seconds }
                // Anyone can make up a proof for each request.
                if limits.welcome.contains(key) { return nil }
            }
            if let seconds = limits.strangers.count(source, at: now) { return seconds }
            if let proof {
                if limits.unproven.count >= 10_000 { limits.unproven.removeAll() }
                limits.unproven[proof.hashValue, default: 0] += 1
            }
            return nil
        }
    }

    /// Where a request comes from, as it is counted.
    private func source(of request: Request) -> String {
        Source.network(
            of: Source.address(
                of: request.address, forwarded: request.headers.values("x-forwarded-for"),
                proxies: address.proxies))
    }

    /// The part of a request that shows who sends it: a cookie, or the password of a program.
    private func proof(of request: Request) -> String? {
        request.headers.cookie(Visit.cookieName(isSecure: address.isSecure))
            ?? request.headers.password
    }

    /// Remembers the proof of someone who is logged in. What came with it so far doesn't count as
    /// coming from strangers: after a restart, everyone behind one address comes at once.
    private func welcome(_ request: Request) {
        guard let key = proof(of: request)?.hashValue else { return }
        let source = source(of: request)
        speedLimits.withLock { limits in
            if limits.welcome.count >= 10_000 { limits.welcome.removeAll() }
            limits.welcome.insert(key)
            for _ in 0..<(limits.unproven.removeValue(forKey: key) ?? 0) {
                limits.strangers.takeBack(source)
            }
        }
    }

    /// Counts a request as being answered.
    ///
    /// - Parameter key: the hash of its proof; nil if it has none.
    /// - Returns: false if too many with the same proof are being answered.
    private func begin(_ key: Int?) -> Bool {
        guard let key else { return true }
        return speedLimits.withLock { limits in
            let count = limits.flights[key, default: 0]
            guard count < Self.mostAtOnce else { return false }
            limits.flights[key] = count + 1
            return true
        }
    }

    private func end(_ key: Int?) {
        guard let key else { return }
        speedLimits.withLock { limits in
            let count = limits.flights[key, default: 1]
            limits.flights[key] = count > 1 ? count - 1 : nil
        }
    }

    private func answer(_ request: Request, _ reply: Reply) {
        let found = Self.route(request)
        guard case .found(let route, let values) = found else {
            return reply.send(.plain(.notFound))
        }
        let place = route.place
        let key = proof(of: request)?.hashValue
        let hasBegun = begin(key)
        let flight = Flight(Self.line(request, found), log) { [self] isKnown in
            if isKnown { welcome(request) }
            if hasBegun { end(key) }
        }
        let visit = Visit(
            request, files, source: source(of: request), isSecure: address.isSecure,
            values: values, flight: flight
        ) { response in
            reply.send(response.packed(for: request.headers))
            flight.land(response.status, bytes: response.body.count)
        }
        guard hasBegun else {
            return visit.send(FaultPage(.tooMany, visit).response.adding("Retry-After", "1"))
        }
        if place == .health { return visit.send(.plain(.ok, "ok")) }
        if place == .serviceWorker {
            let file = files.lasting(name: "sw.js", request.headers)
            return visit.send(file ?? .plain(.notFound))
        }
        if place == .icon { return visit.send(.lead(to: files.path("icon.svg"))) }
        DeskWork.inbox.put { desk in Attendant(desk, visit, reply).answer(place) }
    }
}

extension Response {
    /// True for what is compressed already.
    private var isPacked: Bool {
        headers.contains {
            $0.name == "Content-Type" && ["image/jpeg", "image/png"].contains($0.value)
        }
    }

    /// The response, compressed if that pays and the browser unpacks it.
    func packed(for headers: Headers) -> Response {
        guard body.count > 1000, headers.acceptsGzip,
            !self.headers.contains(where: { $0.name == "Content-Encoding" }), !isPacked,
            let small = Gzip.compressed(body, level: 5), small.count < body.count
        else { return self }
        var response = adding("Content-Encoding", "gzip").adding("Vary", "Accept-Encoding")
        response.body = small
        return response
    }
}
