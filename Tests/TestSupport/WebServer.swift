import Bus
import Foundation

/// An HTTP server on loopback that keeps the requests it gets, and fails on request.
public final class WebServer {
    /// A request.
    public struct Request: Decodable, Hashable, Sendable {
        /// The path.
        public let path: String
        /// The header fields, their names in lower case.
        public let headers: [String: String]
        /// The body.
        public let body: String
        /// How it was answered: see ``WebServer/behave(_:)``.
        public let answer: String
        /// The port of the client; the same for all requests of a connection.
        public let connection: Int
    }

    /// The TCP port that it listens on.
    public let port: Int
    private let directory: String
    private let program: Program

    /// Starts a server that keeps its requests in a folder of the installation's scratch directory.
    ///
    /// - Parameters:
    ///   - system: the installation.
    ///   - folder: the name of the folder.
    public init(in system: System, folder: String = "requests") throws {
        directory = system.path(folder)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let program = try system.spawn(
            ["/usr/bin/python3", SMTPServer.fixture("web_server.py"), directory],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the web server listens") {
            guard program.isRunning else { throw Complaint("no web server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        guard let port = Int(program.out.dropFirst(5).dropLast()) else {
            throw Complaint("the web server says \(program.out)")
        }
        self.port = port
        self.program = program
    }

    /// Kills the server.
    public func stop() { program.kill() }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sets how it answers from now on: `200` or another status, `429 SECONDS`, `cut` for no
    /// answer, `hang`, `stall STATUS` for the beginning of one, `flood` for one that never ends, or
    /// `to URL`. For a file there are also `cut` in the middle, `trickle`, a web `page`, and a
    /// `large` calendar.
    public func behave(_ behaviour: String) throws {
        try Data((behaviour + "\n").utf8).write(
            to: URL(filePath: "\(directory)/behaviour"), options: .atomic)
    }

    /// Sets the calendar that it returns to `GET` from now on.
    public func serve(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(directory)/served"), options: .atomic)
    }

    /// The requests so far, in order, without the first ones.
    public func requests(after count: Int = 0) throws -> [Request] {
        var requests: [Request] = []
        while let bytes = FileManager.default.contents(
            atPath: "\(directory)/\(count + requests.count).json")
        {
            requests.append(try JSONDecoder().decode(Request.self, from: bytes))
        }
        return requests
    }
}

extension WebServer.Request {
    /// Whether it was signed by a key a moment ago, as docs/channels.md tells receivers to verify.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - system: the installation that runs the program which verifies it.
    /// - Throws: a `Complaint` if it has no signature, or the program fails.
    public func isSigned(by key: String, in system: System) throws -> Bool {
        let parts = headers["steward-signature"]?.split(separator: ",") ?? []
        guard parts.count == 2 else { throw Complaint("there is no signature: \(headers)") }
        let time = parts[0].dropFirst(2)
        let program = try system.spawn(
            [
                "/usr/bin/python3", "-c",
                "import hmac,hashlib,sys;print(hmac.new(sys.argv[1].encode(),"
                    + "(sys.argv[2]+'.'+sys.argv[3]).encode(),hashlib.sha256).hexdigest())",
                key, String(time), body,
            ], environment: ["LC_ALL": "C.UTF-8"])
        guard try program.waitForEnd() == .exited(0) else { throw Complaint(program.err) }
        return "v1=\(program.out.dropLast())" == parts[1]
            && abs((Int64(time) ?? 0) - WallClock.milliseconds() / 1_000) < 600
    }
}
