/// The outcome of an attempt to deliver something to a server.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The server has accepted it.
    case accepted
    /// It was not accepted, but may be next time, after this many seconds if the server says so.
    case delayed(String, after: Int)
    /// The server will never accept it.
    case refused(String)
}
