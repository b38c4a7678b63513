/// How much one turn of the loop handles at most, so that no peer starves the others.
enum TurnLimits {
    /// The maximum number of messages from one socket.
    static let messages = 1000
    /// The maximum number of bytes of messages from one socket, and of replies to them.
    static let bytes = 4 << 20
    /// How long a turn handles messages before it leaves the rest to the next turn.
    static let time: Duration = .milliseconds(50)
    /// How long after its beginning a turn may begin to wait for further messages, if the last one
    /// was busy. It waits for a whole millisecond at a time, so it may take almost twice as long.
    static let waiting: Duration = .milliseconds(1)
    /// How long a turn may take before the clock is read again for its next message. A turn that
    /// took longer was interrupted.
    static let longestMilliseconds: Int64 = 5000
}
