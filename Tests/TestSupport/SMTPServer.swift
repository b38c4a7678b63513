import Foundation

/// A mail server on loopback, started by a test, that keeps what it takes over. The recipient's
/// name says what goes wrong: see `Fixtures/mail_server.py`.
public final class SMTPServer {
    /// The TCP port on which it listens.
    public let port: Int
    private let directory: String
    private let program: Program

    /// Starts one that keeps its mails in a folder of the installation's scratch directory.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - arguments: as `mail_server.py` explains them.
    public init(
        in system: System, folder: String = "mails", port: Int = 0, _ arguments: [String] = []
    ) throws {
        directory = system.path(folder)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let program = try system.spawn(
            [
                "/usr/bin/python3", Self.fixture("mail_server.py"), directory, "--port",
                "\(port)",
            ] + arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the mail server listens") {
            guard program.isRunning else { throw Complaint("no mail server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        guard let port = Int(program.out.dropFirst(5).dropLast()) else {
            throw Complaint("the mail server says \(program.out)")
        }
        self.port = port
        self.program = program
    }

    /// Ends it at once.
    public func stop() { program.kill() }

    /// What it has taken over, in order, as it was sent.
    public func mails() throws -> [(to: String, bytes: [UInt8])] {
        var mails: [(to: String, bytes: [UInt8])] = []
        while let bytes = FileManager.default.contents(atPath: "\(directory)/\(mails.count).eml") {
            let to = FileManager.default.contents(atPath: "\(directory)/\(mails.count).to")
            mails.append((String(decoding: to ?? Data(), as: UTF8.self), [UInt8](bytes)))
        }
        return mails
    }

    /// The path of a file of the fixtures.
    static func fixture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures/" + name
    }
}

/// A mail as Python's parser reads it.
public struct ParsedMail: Decodable, Hashable, Sendable {
    /// A part that is no container.
    public struct Part: Decodable, Hashable, Sendable {
        /// Its type and subtype.
        public let type: String
        /// The name of the file.
        public let name: String
        /// `attachment`, or nothing.
        public let disposition: String
        /// Its content, decoded.
        public let bytes: Data
        /// The content as text, its lines ended by line feeds.
        public var text: String {
            String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    /// The headers of the whole, decoded.
    public let headers: [String: String]
    /// The types of the containers, the outermost first.
    public let containers: [String]
    /// What the parser found wrong.
    public let defects: [String]
    /// The parts, in order.
    public let parts: [Part]

    /// Reads a mail.
    public init(_ bytes: [UInt8]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [SMTPServer.fixture("read_mail.py")]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
            try? input.fileHandleForWriting.close()
        }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        self = try JSONDecoder().decode(ParsedMail.self, from: answer)
    }
}
