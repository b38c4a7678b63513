import Messages

/// What shows in whose name a message is sent: an access token for one service. There is no empty
/// one. On a private bus a message without a token is the owner's, so a forgotten token would make
/// every visitor the owner of the machine.
struct Proof: Hashable, Sendable {
    /// The token; never empty.
    let token: [UInt8]

    /// The proof that a token is; nil for none.
    init?(_ token: [UInt8]?) {
        guard let token, !token.isEmpty else { return nil }
        self.token = token
    }
}

/// A message that is sent before anyone has logged in, and carries what proves who sends it.
protocol SentByStrangers: ProtobufMessage {}

extension LogIn: SentByStrangers {}
extension RefreshAccess: SentByStrangers {}
extension SignUp: SentByStrangers {}
