import Foundation
import TestSupport

/// Lets all services work for a long time, and measures the resources that they use.
///
/// `steward-soak FILE HOURS [SEED]` writes a line for each service every five seconds to FILE, with
/// tabs between its figures, and exits with 1 if anything was lost, done twice, or grows.
let words = CommandLine.arguments.dropFirst()
guard words.count >= 2, let hours = Double(words[2]), hours > 0 else {
    print("usage: steward-soak FILE HOURS [SEED]")
    exit(64)
}
let seed = Seed(words.count > 2 ? UInt64(words[3]) ?? 0 : UInt64.random(in: 0...UInt64(Int32.max)))
print("\(seed), \(hours) hours")
fflush(nil)
do {
    var soak = try Soak(to: words[1], seed)
    let complaints = try soak.run(for: .seconds(hours * 3600))
    for complaint in complaints { print(complaint) }
    exit(complaints.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(1)
}
