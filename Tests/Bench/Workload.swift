import Bus
import Messages

/// The measured command: 100 bytes of payload, on one of 20,000 rows in random order.
enum Workload {
    static let entities = 20_000

    /// The row that the command with a number changes.
    static func entity(_ number: Int) -> Int { number &* 7919 % entities }

    /// The new value of the row, which makes the payload about 100 bytes.
    static let note = String(repeating: "steward ", count: 8)

    static func command(_ number: Int) -> AlertRaised {
        AlertRaised(
            key: "\(entity(number))/\(number)", kind: "bench", severity: .info, title: note,
            recipient: "bench")
    }

    /// The size of an outbox row, in bytes; a kept reply isn't larger.
    static let rowBytes = 190
}
