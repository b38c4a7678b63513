/// What one turn of the loop takes at most, so that no peer starves the others.
enum TurnLimits {
    /// So many messages from one socket.
    static let messages = 1000
    /// So many bytes of messages from one socket, and of replies to them.
    static let bytes = 4 << 20
    /// So long it handles messages before it begins no other one.
    static let time: Duration = .milliseconds(50)
}
