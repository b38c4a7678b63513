import Testing

@testable import Transfers

/// What it means that libmosquitto doesn't take a message: its errors by their numbers.
struct MQTTTransferTests {
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
