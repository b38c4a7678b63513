import Bus
import Messages

/// The command that is measured: 100 bytes of payload, on one of 20,000 rows in no order.
enum Workload {
    static let entities = 20_000

    /// The row that the command of a number changes.
    static func entity(_ number: Int) -> Int { number &* 7919 % entities }

    /// What the row is given: with the rest, the payload has about 100 bytes.
    static let note = String(repeating: "steward ", count: 8)

    static func command(_ number: Int) -> AlertRaised {
        AlertRaised(
            key: "\(entity(number))/\(number)", kind: "bench", severity: .info, title: note,
            recipient: "bench")
    }

    /// Bytes of an outbox row, which those of a kept reply don't exceed.
    static let rowBytes = 190
}
