import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    /// Tokens of account-service, as seen by the services that they are for.
    @Suite(.serialized) struct Audiences {
        @Test func `a token for one service is refused by another`() throws {
            let office = try Office()
            try office.person("ann")
            let tokens = try office.refresh(try office.logIn("ann").refreshToken).tokens
            try office.system.start("notifier")
            let client = try office.system.client(of: .notifier)
            client.token = try #require(tokens["notifier"])
            try eventually("the notifier knows the key") {
                try isLetIn(client, mayAwaitKey: true)
            }

            client.token = try #require(tokens["transit-alert-service"])

            #expect(try !isLetIn(client))
        }

        /// Sends a query that every account may send.
        ///
        /// - Parameters:
        ///   - client: a client of the notifier.
        ///   - mayAwaitKey: whether the service may still wait for its first key.
        private func isLetIn(_ client: Client, mayAwaitKey: Bool = false) throws -> Bool {
            do {
                _ = try client.ask(ListAlerts(), for: Alerts.self)
                return true
            } catch ClientError.refused(let refusal) {
                #expect(
                    refusal.message == "the access token is not valid here; log in again"
                        || mayAwaitKey && refusal.isBecause(.keyAwaited))
                return false
            }
        }
    }
}
