/// The mail server that mails are sent through.
package struct MailServer: Hashable, Sendable {
    /// How the connection is encrypted.
    package enum Encryption: Hashable, Sendable {
        /// By TLS from the first byte; the certificate must be valid.
        case immediate
        /// By TLS started with STARTTLS; without it nothing is sent. The certificate must be valid.
        case required
        /// By TLS if the server offers it, with any certificate: sufficient where nothing leaves
        /// this machine.
        case offered
        /// Not at all.
        case none
    }

    /// Its name or address; an IPv6 address is in brackets.
    package let host: String
    /// Its TCP port.
    package let port: Int
    /// How the connection is encrypted.
    package let encryption: Encryption
    /// The name to log in with; nil when the server requires none.
    package let user: String?
    /// A file of the trusted certificates; nil for those of the system.
    package let authorities: String?

    /// Makes a server at an address.
    package init(
        host: String, port: Int, encryption: Encryption, user: String? = nil,
        authorities: String? = nil
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.user = user
        self.authorities = authorities
    }
}

/// The outcome of sending a mail to a server.
package enum MailOutcome: Hashable, Sendable {
    /// The server has accepted it.
    case sent
    /// It was not accepted; it may be the next time. `ofServer` says that the server, or the way to
    /// it, is why, so that no other mail would have been accepted either.
    case delayed(String, ofServer: Bool = false)
    /// The server will never accept it.
    case refused(String)
}
