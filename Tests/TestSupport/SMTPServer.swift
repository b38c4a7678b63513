import Foundation

/// A mail server on loopback, started by a test, that keeps the mails it accepts. The recipient's
/// name determines which error occurs: see `Fixtures/mail_server.py`.
public final class SMTPServer {
    /// The TCP port that it listens on.
    public let port: Int
    private let directory: String
    private let program: Program

    /// Starts a server that keeps its mails in a folder of the installation's scratch directory.
    ///
    /// - Parameters:
    ///   - system: the installation.
    ///   - folder: the name of the folder.
    ///   - port: the port; 0 for any free one.
    ///   - arguments: further arguments of `mail_server.py`.
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

    /// Kills the server.
    public func stop() { program.kill() }

    /// Returns the recipients and the bytes of the accepted mails, in order.
    public func mails() throws -> [(to: String, bytes: [UInt8])] {
        var mails: [(to: String, bytes: [UInt8])] = []
        while let bytes = FileManager.default.contents(atPath: "\(directory)/\(mails.count).eml") {
            let to = FileManager.default.contents(atPath: "\(directory)/\(mails.count).to")
            mails.append((String(decoding: to ?? Data(), as: UTF8.self), [UInt8](bytes)))
        }
        return mails
    }

    /// Returns the path of a fixture.
    public static func fixture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures/" + name
    }
}

/// A mail as parsed by Python.
public struct ParsedMail: Decodable, Hashable, Sendable {
    /// A part of a mail that isn't a container.
    public struct Part: Decodable, Hashable, Sendable {
        /// Its type and subtype.
        public let type: String
        /// The name of its file.
        public let name: String
        /// `attachment`, or empty.
        public let disposition: String
        /// Its decoded content.
        public let bytes: Data
        /// The content as text, with line feeds as line endings.
        public var text: String {
            String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    /// The decoded headers of the mail.
    public let headers: [String: String]
    /// The types of the containers, outermost first.
    public let containers: [String]
    /// The defects that the parser found.
    public let defects: [String]
    /// The parts, in order.
    public let parts: [Part]

    /// Parses a mail.
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
