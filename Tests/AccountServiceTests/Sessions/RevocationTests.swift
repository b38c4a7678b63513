import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    /// Revocations by account-service, as the other services see them.
    @Suite(.serialized) struct Revocations {
        @Test func `a disabled account is refused by other services within a second`() throws {
            let office = try Office()
            let services: [ServiceName] = [.notifier, .transitAlert]
            for service in services { try office.system.start(service.rawValue) }
            let clients = try services.map { try office.system.client(of: $0) }
            var names = ["ann", "bob", "cem", "dan", "eve", "fay", "gus", "hal", "ida", "jon"][...]

            let time = try shortestTime(under: .seconds(1)) {
                let name = names.removeFirst()
                let person = try office.person(name)
                let tokens = try office.refresh(try office.logIn(name).refreshToken).tokens
                for client in clients {
                    client.token = try #require(tokens[client.service.rawValue])
                }
                try eventually("each service knows the key") {
                    try clients.allSatisfy { try isLetIn($0, mayAwaitKey: true) }
                }
                _ = try office.ask(
                    SetAccountDisabled(account: person.id, isDisabled: true), for: Account.self)
                return try ContinuousClock().measure {
                    try eventually("each service refuses the person") {
                        try clients.allSatisfy { try !isLetIn($0) }
                    }
                }
            }

            #expect(time < .seconds(1))
        }

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
        /// - Parameter mayAwaitKey: whether the service may still wait for its first key.
        private func isLetIn(_ client: Client, mayAwaitKey: Bool = false) throws -> Bool {
            do {
                if client.service == .notifier {
                    _ = try client.ask(ListAlerts(), for: Alerts.self)
                } else {
                    _ = try client.ask(ListFeeds(), for: Feeds.self)
                }
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
