import TestSupport
import Testing

@testable import Transfers

struct MQTTTransferTests {
    @Test func `a broker that sends without end can't fill the memory`() throws {
        let port = Loopback.port()
        // The head of a message of 256 MB, the largest that MQTT allows.
        let flood = try Flood(port: port, beginning: [0x30, 0xFF, 0xFF, 0xFF, 0x7F])
        let message = MQTTMessage(
            host: "127.0.0.1", port: port, isEncrypted: false, user: "", password: "",
            topic: "siren", payload: [1])

        var outcome = DeliveryOutcome.accepted
        // A busy machine may take longer to connect.
        for limit in [3, 20, 60] where flood.sent == 0 {
            outcome = MQTTTransfer(limit: .seconds(limit)).send(message)
        }

        guard case .delayed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // Most of it is still in the sender's own buffer.
        #expect((1..<32_000_000).contains(flood.sent), "\(flood.sent)")
    }

    // What it means that libmosquitto doesn't take a message: its errors by their numbers.

    // No memory, no connection, connection lost, and an error of the system.
    @Test(arguments: [1, 4, 7, 14] as [Int32])
    func `a message is sent again if the connection is lost when it is published`(error: Int32) {
        guard case .delayed(let reason, _) = MQTTTransfer.outcome(ofPublishing: error) else {
            Issue.record("it is given up")
            return
        }
        #expect(!reason.isEmpty)
    }

    // Invalid, too large, not UTF-8, and larger than a packet may be.
    @Test(arguments: [3, 9, 18, 25] as [Int32])
    func `a message that no broker would accept is given up`(error: Int32) {
        guard case .refused = MQTTTransfer.outcome(ofPublishing: error) else {
            Issue.record("it is tried again")
            return
        }
    }
}
