import Bus
import Messages

/// Access to the services in the name of one person. The program that uses this library supplies
/// that person's tokens: `steward` uses the log-in that this machine keeps.
package protocol ServiceAccess {
    /// A client of a service whose messages carry the person's token.
    func client(_ service: ServiceName) throws -> Client

    /// Sends one message to a service and waits for the answer.
    ///
    /// - Throws: ``ClientError``, ``Failure``.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R

    /// Discards a token that a service has refused.
    ///
    /// - Returns: true if the next message will carry another one.
    func renewProof(refused token: [UInt8]) throws -> Bool
}
