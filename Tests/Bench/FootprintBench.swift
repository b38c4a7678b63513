import Bus
import Foundation

/// What an idle service costs, and how soon it is ready.
enum FootprintBench {
    static func run(_ figures: inout Figures) throws {
        for service in ServiceName.allCases {
            let scratch = try Scratch("ipc")
            // The first start makes the store; an ordinary start is measured.
            try Child(service.rawValue, scratch).stop()
            var times: [Double] = []
            for _ in 0..<7 {
                let child = try Child(service.rawValue, scratch)
                times.append(child.timeToReady / .milliseconds(1))
                child.stop()
            }
            let child = try Child(service.rawValue, scratch)
            Thread.sleep(forTimeInterval: 3)
            figures.add(
                "\(service.rawValue), idle memory", try child.residentMemory(), "MiB",
                goal: .atMost(25))
            figures.add(
                "\(service.rawValue), start to ready (median of 7)", times.sorted()[3], "ms",
                goal: .atMost(150))
            child.stop()
        }
    }
}
