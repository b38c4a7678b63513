import Messages

/// Proves in whose name a message is sent: an access token for one service. It can't be empty. On a
/// private bus a message without a token comes from the owner, so a forgotten token would make
/// every visitor the owner of the machine.
struct Proof: Hashable, Sendable {
    /// The token; never empty.
    let token: [UInt8]

    /// The proof in a token; nil if there is no token.
    init?(_ token: [UInt8]?) {
        guard let token, !token.isEmpty else { return nil }
        self.token = token
    }
}

/// A message that is sent before anyone has logged in, and itself contains what proves who sends
/// it.
protocol SentByStrangers: ProtobufMessage {}

extension LogIn: SentByStrangers {}
extension RefreshAccess: SentByStrangers {}
extension SignUp: SentByStrangers {}
