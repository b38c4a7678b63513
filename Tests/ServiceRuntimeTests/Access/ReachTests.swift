import Messages
import TestSupport
import Testing

extension Processes {
    /// Where people may have a service send requests to, if it serves others too.
    @Suite(.serialized) struct Reach {
        @Test func `over TCP nobody can have a service ask Redmine in its own network`() throws {
            let stage = try ScopeStage(.project)

            // Nothing listens there anyway.
            let answer = try stage.answer(
                to: LogInToRedmine(server: "http://127.0.0.1:1", secret: "x"))

            #expect(answer.type == Refusal.protobufName)
            #expect(
                try Refusal(unpacking: answer.data).message
                    == "http://127.0.0.1:1: the server can't be reached: its address is a private "
                    + "one, which the operator has not allowed")
        }

        @Test func `over TCP nobody can have alerts sent to the machine of the notifier`() throws {
            let stage = try ScopeStage(.notifier)

            for (kind, address) in [
                (ChannelKind.webhook, "http://127.0.0.1:8093/alerts"),
                (.mqtt, "mqtts://127.0.0.1/siren"),
            ] {
                let answer = try stage.answer(
                    to: KeepChannel(
                        channel: AlertChannel(name: "hook", kind: kind, address: address)))

                #expect(answer.type == Refusal.protobufName)
                #expect(
                    try Refusal(unpacking: answer.data).message.hasSuffix(
                        "if the operator allows it: STEWARD_CHANNEL_HOSTS=127.0.0.1"))
            }
        }
    }
}
