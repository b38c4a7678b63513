import CZeroMQ
import Foundation

/// A CURVE key pair in Z85 text, as ZeroMQ writes it (RFC 32/Z85, 40 characters).
public struct KeyPair: Sendable {
    /// Who the owner is to others.
    public let publicKey: String
    /// What only the owner knows.
    public let secretKey: String

    /// A fresh pair from the system's random source.
    public static func generate() throws(BusError) -> KeyPair {
        var publicKey = [CChar](repeating: 0, count: 41)
        var secretKey = [CChar](repeating: 0, count: 41)
        if zmq_curve_keypair(&publicKey, &secretKey) != 0 { throw BusError("make a key pair") }
        return KeyPair(publicKey: text(publicKey), secretKey: text(secretKey))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The directory of CURVE keys of an installation: `<process>.secret` (mode 0600) beside
/// `<process>.public` for every process on this host, and a `.public` file for every peer.
public struct KeyRing: Sendable {
    private let directory: String

    /// The ring in a directory.
    public init(directory: String) { self.directory = directory }

    /// Makes a key pair for a process and writes it, unless it is there.
    public func create(_ process: String) throws {
        guard !FileManager.default.fileExists(atPath: path(process, "secret")) else { return }
        let pair = try KeyPair.generate()
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(pair.publicKey.utf8).write(to: URL(filePath: path(process, "public")))
        let made = FileManager.default.createFile(
            atPath: path(process, "secret"), contents: Data(pair.secretKey.utf8),
            attributes: [.posixPermissions: 0o600])
        guard made else { throw ConfigurationError("can't write \(path(process, "secret"))") }
    }

    /// The pair of a process on this host.
    ///
    /// - Throws: ``ConfigurationError`` that names the missing or malformed file.
    public func pair(of process: String) throws(ConfigurationError) -> KeyPair {
        KeyPair(
            publicKey: try read(path(process, "public")),
            secretKey: try read(path(process, "secret")))
    }

    /// The public key of a peer.
    public func publicKey(of process: String) throws(ConfigurationError) -> String {
        try read(path(process, "public"))
    }

    /// The public keys of every process in the ring: those that a service lets in.
    public func allowed() throws(ConfigurationError) -> Set<String> {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
            throw ConfigurationError("can't read the key directory \(directory)")
        }
        var keys: Set<String> = []
        for name in names where name.hasSuffix(".public") {
            keys.insert(try read(directory + "/" + name))
        }
        return keys
    }

    private func path(_ process: String, _ kind: String) -> String {
        "\(directory)/\(process).\(kind)"
    }

    private func read(_ path: String) throws(ConfigurationError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("the key file \(path) is missing")
        }
        let text = String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count == 40 else {
            throw ConfigurationError("\(path) is not a CURVE key of 40 characters")
        }
        return text
    }
}

/// How a socket is encrypted: as a server that lets in whom the ring knows, or as a client of one.
public enum Security: Sendable {
    /// Binds; peers prove their keys, which ``Gatekeeper`` checks.
    case server(KeyPair)
    /// Connects to the server that has this public key.
    case client(KeyPair, server: String)

    func apply(to socket: Socket) throws(BusError) {
        switch self {
        case .server(let own):
            try socket.set(ZMQ_CURVE_SERVER, Int32(1))
            try socket.set(ZMQ_CURVE_SECRETKEY, own.secretKey)
            try socket.set(ZMQ_ZAP_DOMAIN, "steward")
        case .client(let own, let server):
            try socket.set(ZMQ_CURVE_SERVERKEY, server)
            try socket.set(ZMQ_CURVE_PUBLICKEY, own.publicKey)
            try socket.set(ZMQ_CURVE_SECRETKEY, own.secretKey)
        }
    }
}
