/// What one turn of the loop takes at most, so that no peer starves the others.
enum TurnLimits {
    /// So many messages from one socket.
    static let messages = 1000
    /// So many bytes from one socket.
    static let bytes = 4 << 20
}
