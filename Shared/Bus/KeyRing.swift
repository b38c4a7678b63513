import Disk
import Foundation

/// The directory of an installation's CURVE keys. `<process>.public` has the public key of a
/// process, its role, whether it was revoked, and the keys of that name that were revoked before.
/// `<process>.secret`, readable by its owner alone, is next to it on the host where the process
/// runs.
///
/// ```
/// key Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID
/// role service
/// ```
public struct KeyRing: Sendable {
    /// What a key lets a process do.
    public enum Role: String, Sendable, CaseIterable {
        /// A service: it may exchange everything that services send each other.
        case service
        /// A program through which a person sends commands: `steward`.
        case gateway
        /// A program that shows alerts and can do nothing else.
        case display
    }

    /// What the ring contains about a process.
    public struct Entry: Sendable, Hashable {
        /// The name of the process.
        public let name: String
        /// Its public key in Z85.
        public let publicKey: String
        /// What the key lets it do.
        public let role: Role
        /// True when the key was revoked.
        public let isRevoked: Bool
        /// The keys that were revoked before the process got this one, oldest first.
        public let formerKeys: [String]

        /// Makes an entry without writing it.
        public init(
            name: String, publicKey: String, role: Role, isRevoked: Bool,
            formerKeys: [String] = []
        ) {
            self.name = name
            self.publicKey = publicKey
            self.role = role
            self.isRevoked = isRevoked
            self.formerKeys = formerKeys
        }

        /// All its revoked keys.
        var revokedKeys: [String] { isRevoked ? formerKeys + [publicKey] : formerKeys }
    }

    /// The directory of the files.
    public let directory: String

    /// Makes the ring of a directory.
    public init(directory: String) { self.directory = directory }

    /// Makes a key pair for a process on this host.
    ///
    /// - Returns: its entry, the existing one if it already has a pair.
    /// - Throws: ``ConfigurationError`` when the name has another key or another role.
    @discardableResult
    public func create(_ process: String, role: Role) throws -> Entry {
        try Self.validate(name: process)
        if let entry = try present(process) {
            guard entry.role == role else { throw taken(entry) }
            guard hasSecret(process) else { throw taken(entry) }
            return entry
        }
        let former = try revokedKeys(of: process)
        let pair = try KeyPair.generate()
        try makeDirectory()
        // The secret first: a public key without one means that the process runs elsewhere.
        try write(pair.secretKey + "\n", to: path(process, "secret"), mode: 0o600)
        return try write(
            Entry(
                name: process, publicKey: pair.publicKey, role: role, isRevoked: false,
                formerKeys: former))
    }

    /// Adds a process of another host, which keeps its secret key to itself.
    @discardableResult
    public func register(_ process: String, role: Role, publicKey: String) throws -> Entry {
        try Self.validate(name: process)
        guard KeyPair.isKey(publicKey) else {
            throw ConfigurationError(
                "“\(publicKey)” is not a CURVE key of 40 characters; copy it from what steward "
                    + "keys add or steward keys list has shown, in single quotes")
        }
        if let entry = try present(process) {
            guard entry.role == role, entry.publicKey == publicKey else { throw taken(entry) }
            return entry
        }
        try makeDirectory()
        let others = try entries()
        if let other = others.first(where: { $0.revokedKeys.contains(publicKey) }) {
            throw ConfigurationError("this key was revoked as \(other.name); make a new one")
        }
        if let other = others.first(where: { $0.publicKey == publicKey }) {
            throw ConfigurationError("this key is in the ring already, as \(other.name)")
        }
        return try write(
            Entry(
                name: process, publicKey: publicKey, role: role, isRevoked: false,
                formerKeys: try revokedKeys(of: process)))
    }

    /// Revokes a key: its process is no longer let in, and its secret is deleted if it is on this
    /// host. The key stays in the entry, even when its process gets a new one, so that it can't be
    /// added again.
    @discardableResult
    public func revoke(_ process: String) throws -> Entry {
        try Self.validate(name: process)
        let entry = try entry(process)
        let revoked = Entry(
            name: process, publicKey: entry.publicKey, role: entry.role, isRevoked: true,
            formerKeys: entry.formerKeys)
        // Written again even if it is revoked already, because an earlier attempt may have failed.
        try write(revoked)
        if hasSecret(process) {
            let path = path(process, "secret")
            try FileManager.default.removeItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path)
            unlink(path)
        }
        return revoked
    }

    /// Moves the secret of a process into a directory of its own, `directory/process`, and leaves a
    /// link to it in the ring. Someone who is given the ring and that directory has that secret and
    /// no other. Does nothing when the secret was moved before or is not on this host.
    ///
    /// After a crash the secret may still be where it was; the next call moves it.
    public func keepApart(_ process: String, in directory: String) throws {
        let path = path(process, "secret")
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let place = "\(directory)/\(process)"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let target = "\(place)/\(process).secret"
        try write(try read(path), to: target, mode: 0o600)
        let draft = path + ".draft"
        unlink(draft)
        guard symlink(target, draft) == 0, rename(draft, path) == 0 else {
            throw Self.failure(path)
        }
    }

    /// True when the ring has an entry for a process, even a revoked one.
    public func hasEntry(_ process: String) -> Bool {
        FileManager.default.fileExists(atPath: path(process, "public"))
    }

    /// True when the text can be a public key.
    public static func isKey(_ text: String) -> Bool { KeyPair.isKey(text) }

    /// True when the secret key of a process is on this host.
    public func hasSecret(_ process: String) -> Bool {
        FileManager.default.fileExists(atPath: path(process, "secret"))
    }

    /// The key pair of a process on this host.
    ///
    /// - Throws: ``ConfigurationError`` that names the file that is missing, malformed or readable
    ///   by others.
    func pair(of process: String) throws(ConfigurationError) -> KeyPair {
        let publicKey = try publicKey(of: process)
        let path = path(process, "secret")
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
            throw ConfigurationError(
                "others may read the secret key \(path), so it isn't secret; make a new one: "
                    + "steward keys revoke \(process), then steward keys add")
        }
        let secretKey = try read(path).trimmingCharacters(in: .whitespacesAndNewlines)
        guard KeyPair.isKey(secretKey) else {
            throw ConfigurationError("\(path) is not a CURVE key of 40 characters")
        }
        return KeyPair(publicKey: publicKey, secretKey: secretKey)
    }

    /// The public key of a process.
    public func publicKey(of process: String) throws(ConfigurationError) -> String {
        let entry = try entry(process)
        guard !entry.isRevoked else {
            throw ConfigurationError(
                "the key of \(process) was revoked; make a new one with steward keys add "
                    + "\(process) --role \(entry.role.rawValue)")
        }
        return entry.publicKey
    }

    /// All entries, by name.
    ///
    /// - Throws: ``ConfigurationError`` that names the missing, malformed or insecure file or
    ///   directory.
    public func entries() throws(ConfigurationError) -> [Entry] {
        var status = stat()
        if stat(directory, &status) == 0, status.st_mode & 0o022 != 0 {
            throw ConfigurationError(
                "others may write into the key directory \(directory) and could let themselves "
                    + "in; close it with chmod 700 \(directory)")
        }
        var entries: [Entry] = []
        for name in try names() { entries.append(try entry(name)) }
        return entries
    }

    /// The names of the processes that have an entry, sorted.
    func names() throws(ConfigurationError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory)
                .filter { $0.hasSuffix(".public") && !$0.hasPrefix(".") }
                .map { String($0.dropLast(7)) }.sorted()
        } catch {
            throw ConfigurationError(
                "can't read the key directory \(directory); make one with steward keys init")
        }
    }

    /// Reads the entry of one process.
    func entry(_ process: String) throws(ConfigurationError) -> Entry {
        let path = path(process, "public")
        var values: [Substring: Substring] = [:]
        var former: [String] = []
        for line in try read(path).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            let value = words.count == 2 ? words[1] : ""
            if words.first == "former" { former.append(String(value)) }
            values[words.first ?? ""] = value
        }
        guard let key = values["key"].map(String.init), KeyPair.isKey(key) else {
            throw ConfigurationError(
                "\(path) has no line “key” with a CURVE key of 40 characters; delete it and make "
                    + "it anew with steward keys add")
        }
        guard let role = values["role"].flatMap({ Role(rawValue: String($0)) }) else {
            throw ConfigurationError(
                "\(path) has no line “role service”, “role gateway” or “role display”; add the one "
                    + "that is meant")
        }
        return Entry(
            name: process, publicKey: key, role: role, isRevoked: values["revoked"] != nil,
            formerKeys: former)
    }

    /// The entry, not revoked, that already has this name.
    private func present(_ process: String) throws -> Entry? {
        guard hasEntry(process) else { return nil }
        let entry = try entry(process)
        return entry.isRevoked ? nil : entry
    }

    /// The keys of this name that were revoked.
    private func revokedKeys(of process: String) throws(ConfigurationError) -> [String] {
        hasEntry(process) ? try entry(process).revokedKeys : []
    }

    private func taken(_ entry: Entry) -> ConfigurationError {
        ConfigurationError(
            "\(entry.name) is in the ring with another key or role; choose another name, or end "
                + "that one first with steward keys revoke \(entry.name)")
    }

    private static func validate(name: String) throws(ConfigurationError) {
        guard (1...60).contains(name.utf8.count), name.wholeMatch(of: /[a-z0-9][a-z0-9_-]*/) != nil
        else {
            throw ConfigurationError(
                "“\(name)” can't be the name of a process; it has up to 60 lowercase letters, "
                    + "digits, - and _")
        }
    }

    private func makeDirectory() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    private func path(_ process: String, _ kind: String) -> String {
        "\(directory)/\(process).\(kind)"
    }

    private func read(_ path: String) throws(ConfigurationError) -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(
                "the key file \(path) is missing or can't be read; steward keys list shows what "
                    + "there is")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @discardableResult
    private func write(_ entry: Entry) throws -> Entry {
        let end = entry.isRevoked ? "revoked\n" : ""
        let former = entry.formerKeys.map { "former \($0)\n" }.joined()
        try write(
            "key \(entry.publicKey)\nrole \(entry.role.rawValue)\n\(end)\(former)",
            to: path(entry.name, "public"), mode: 0o644)
        return entry
    }

    /// Writes the whole file or nothing: a service may read it at any moment.
    private func write(_ text: String, to path: String, mode: mode_t) throws {
        let draft = path + ".draft"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Self.failure(path) }
        let bytes = Array(text.utf8)
        let isWritten = OpenFile.write(bytes, to: file) && fsync(file) == 0
        close(file)
        // A revocation must survive a loss of power.
        guard isWritten, rename(draft, path) == 0, Folder.flushName(of: path) else {
            throw Self.failure(path)
        }
    }

    private static func failure(_ path: String) -> ConfigurationError {
        ConfigurationError("can't write \(path) (\(String(cString: strerror(errno))))")
    }
}
