/// What became of an attempt to deliver something to a server.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The server has accepted it.
    case accepted
    /// It was not accepted; it may be the next time, after so many seconds if the server says so.
    case delayed(String, after: Int)
    /// The server will never accept it.
    case refused(String)
}
