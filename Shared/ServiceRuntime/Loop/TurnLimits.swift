/// What one turn of the loop handles at most, so that no peer starves the others.
enum TurnLimits {
    /// How many messages from one socket.
    static let messages = 1000
    /// How many bytes of messages from one socket, and of replies to them.
    static let bytes = 4 << 20
    /// How long it handles messages before it leaves the rest to the next turn.
    static let time: Duration = .milliseconds(50)
}
