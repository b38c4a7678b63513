import Foundation
import TestSupport
import Testing

/// Devices that were offline: nothing is lost, and all reach the same state.
struct HistoryTests {
    /// The number of histories: `HISTORIES` in the environment, otherwise 200; in twenty parts.
    static let perSeed: Int = {
        let text = ProcessInfo.processInfo.environment["HISTORIES"] ?? ""
        return max(1, (Int(text) ?? 200) / 20)
    }()

    @Test(arguments: Seed.some(20))
    func `no edit is lost and every copy is the same, whatever the network does`(
        seed: Seed
    ) throws {
        var seed = seed
        for _ in 0..<Self.perSeed {
            var history = try History(&seed)
            for _ in 0..<(20 + seed.below(60)) { try history.step(&seed) }
            if seed.oneIn(4) { history.service.end() }
            try history.settle()
            try history.check()
        }
    }
}
