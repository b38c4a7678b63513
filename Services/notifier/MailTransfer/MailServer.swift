/// The mail server that mails are handed to.
package struct MailServer: Hashable, Sendable {
    /// How what is said to it is kept from others.
    package enum Encryption: Hashable, Sendable {
        /// By TLS from the first byte; its certificate must be good.
        case immediate
        /// By TLS that begins with STARTTLS; without it nothing is said. Its certificate must be
        /// good.
        case required
        /// By TLS if the server offers it, whatever its certificate: good enough where nothing
        /// leaves this machine.
        case offered
        /// Not at all.
        case none
    }

    /// Its name or address; an IPv6 address in brackets.
    package let host: String
    /// Its TCP port.
    package let port: Int
    /// How what is said is kept from others.
    package let encryption: Encryption
    /// The name to log in with; nil when it asks for none.
    package let user: String?
    /// A file of the certificates that are trusted; nil for those of the system.
    package let authorities: String?

    /// A server at an address.
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

/// What became of a mail that was handed to a server.
package enum MailOutcome: Hashable, Sendable {
    /// The server has taken it over.
    case sent
    /// It was not taken over; it may be the next time.
    case delayed(String)
    /// The server will not take it, however often it is asked.
    case refused(String)
}
