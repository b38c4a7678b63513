import Bus
import Foundation
import Transfers
import Messages
import ServiceRuntime

/// The mail server that mails are sent through, and the address they come from.
///
/// | variable | meaning | default |
/// |---|---|---|
/// | `STEWARD_SMTP` | `smtp://`, `smtps://` or `smtp-unencrypted://`, then `user@` if the server asks for a log-in, then the host, and `:port` of 1 to 65535 | none: mails wait |
/// | `STEWARD_SMTP_FROM` | the address that mails come from, e.g. `steward@example.org` | none: needed with `STEWARD_SMTP` |
/// | `STEWARD_SMTP_PASSWORD_FILE` | absolute path of a file with the user's password and nothing else; a line feed at its end does not count | none: needed with a user |
///
/// `smtp` (port 587) starts TLS with STARTTLS and sends nothing without it; on loopback it uses TLS
/// if the server offers it, with any certificate. `smtps` (port 465) is TLS from the first byte.
/// `smtp-unencrypted` (port 25) uses no encryption, and never sends a password beyond loopback.
struct MailConfiguration: Sendable {
    /// The server that mails are sent through.
    let server: MailServer
    /// The address that mails come from.
    let from: String
    /// The path of the file with the password; nil when the server requires none.
    let passwordFile: String?

    /// The maximum length of a password in bytes.
    static let longestPassword = 1024

    /// Reads the settings; nil when no server is set.
    ///
    /// - Throws: `ConfigurationError` for a bad value. The password file is not read.
    init?(_ settings: [String: String]) throws(ConfigurationError) {
        let from = settings["STEWARD_SMTP_FROM"]
        passwordFile = settings["STEWARD_SMTP_PASSWORD_FILE"]
        guard let text = settings["STEWARD_SMTP"] else {
            if let name = settings.keys.filter({ $0.hasPrefix("STEWARD_SMTP") }).min() {
                throw ConfigurationError(
                    "\(name) is set and STEWARD_SMTP is not; set it to the mail server, e.g. "
                        + "smtp://user@mail.example.org")
            }
            return nil
        }
        guard let from else {
            throw ConfigurationError(
                "STEWARD_SMTP is set and STEWARD_SMTP_FROM is not; set it to the address that "
                    + "mails come from")
        }
        do { try MailRequested.validate(address: from) } catch {
            throw ConfigurationError("STEWARD_SMTP_FROM: \(error.message)")
        }
        self.from = from
        server = try Self.server(text)
        if let passwordFile, !passwordFile.hasPrefix("/") {
            throw ConfigurationError(
                "STEWARD_SMTP_PASSWORD_FILE is “\(passwordFile)”; it must be an absolute path")
        }
        guard (server.user == nil) == (passwordFile == nil) else {
            throw ConfigurationError(
                server.user == nil
                    ? "STEWARD_SMTP_PASSWORD_FILE is set and STEWARD_SMTP names no user; write "
                        + "smtp://user@host, or unset that variable"
                    : "STEWARD_SMTP names a user and STEWARD_SMTP_PASSWORD_FILE is not set; put "
                        + "the password in a file and set it to the file's path")
        }
        let isOpen = server.encryption == .none && !BusAddress.isLoopback(server.host)
        guard !isOpen || server.user == nil else {
            throw ConfigurationError(
                "STEWARD_SMTP would send a password that everyone on the network can read; write "
                    + "smtp:// or smtps://")
        }
    }

    /// The password; empty when none is required. It is read for each mail, so that a new one takes
    /// effect at once.
    ///
    /// - Throws: `ConfigurationError` when the file has no password.
    func password() throws(ConfigurationError) -> String {
        guard let passwordFile else { return "" }
        guard let bytes = FileManager.default.contents(atPath: passwordFile) else {
            throw ConfigurationError(
                "the password file \(passwordFile) can't be read; check the path and who may read "
                    + "it")
        }
        let text = bytes.last == 10 ? bytes.dropLast() : bytes
        guard (1...Self.longestPassword).contains(text.count), !text.contains(10),
            let password = String(validating: text, as: UTF8.self)
        else {
            throw ConfigurationError(
                "the password file \(passwordFile) must hold one line, of 1 to "
                    + "\(Self.longestPassword) bytes")
        }
        return password
    }

    private static func server(_ text: String) throws(ConfigurationError) -> MailServer {
        let form =
            #/
            (smtp|smtps|smtp-unencrypted) :// (?: (.+) @ )?
            ( \[ [0-9a-fA-F:.]+ \] | [A-Za-z0-9.\-]+ ) (?: : ([0-9]{1,5}) )? /?
            /#
        // The setting may contain a password, so the error does not repeat it.
        guard let match = text.wholeMatch(of: form) else {
            throw ConfigurationError(
                "STEWARD_SMTP is not a mail server's address; write smtp://host, "
                    + "smtp://user@host:587, smtps://user@host:465 or smtp-unencrypted://host:25")
        }
        if let user = match.2, user.contains(":") {
            throw ConfigurationError(
                "STEWARD_SMTP has a password; put it in a file and name the file in "
                    + "STEWARD_SMTP_PASSWORD_FILE")
        }
        let host = String(match.3)
        let isLoopback = BusAddress.isLoopback(
            host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
        let (encryption, usualPort): (MailServer.Encryption, Int) =
            switch match.1 {
            case "smtps": (.immediate, 465)
            case "smtp": (isLoopback ? .offered : .required, 587)
            default: (.none, 25)
            }
        let port = match.4.flatMap { Int($0) } ?? usualPort
        guard (1...65535).contains(port) else {
            throw ConfigurationError("the port of STEWARD_SMTP is \(port); it must be 1 to 65535")
        }
        let user = match.2.map { String($0).removingPercentEncoding ?? String($0) }
        return MailServer(host: host, port: port, encryption: encryption, user: user)
    }
}
