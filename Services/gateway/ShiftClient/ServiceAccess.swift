import Bus
import Messages

/// The way to the services in the name of one person. The program that uses this library says how
/// that person proves who they are: `steward` by the log-in that this machine keeps.
package protocol ServiceAccess {
    /// A client of a service whose messages carry the person's proof.
    func client(_ service: ServiceName) throws -> Client

    /// Asks a service one thing and waits for the answer.
    ///
    /// - Throws: ``ClientError``, ``Failure``.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R

    /// Forgets the proof that a service has refused.
    ///
    /// - Returns: true when the next message carries a new one.
    func renewProof() throws -> Bool
}
