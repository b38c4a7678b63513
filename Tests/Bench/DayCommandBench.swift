import Foundation

/// How long a person waits for a day at the command line: from the start of `steward` to its end,
/// with twelve routines of three actions and two appointments.
enum DayCommandBench {
    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child("routine-service", scratch)
        for number in 0..<12 {
            let from = 6 + number
            try steward(
                [
                    "routine", "create", "Routine \(number)", "--tag", "bench",
                    "--from", "\(from):00", "--until", "\(min(22, from + 4)):00",
                    "--action", "Brush your teeth", "--action", "Eat breakfast", "--action",
                    "Go for a walk",
                ], scratch)
        }
        let plan = [
            "day", "plan", "--date", "tomorrow", "--tag", "bench", "--appointment",
            "10:00-11:00 +20 Doctor", "--appointment", "15:00-16:00 Call",
        ]
        for (name, words) in [("plan", plan), ("show", ["day", "show", "--date", "tomorrow"])] {
            var times: [Double] = []
            let before = try processorTime(with: service)
            for _ in 0..<15 {
                let start = ContinuousClock.now
                try steward(words, scratch)
                times.append((ContinuousClock.now - start) / .milliseconds(1))
            }
            times.sort()
            figures.add(
                "steward day \(name), 36 actions, half of 15", times[7], "ms", goal: .atMost(150))
            figures.add("steward day \(name), 36 actions, most of 15", times[14], "ms")
            figures.add(
                "steward day \(name), processor time with the service",
                (try processorTime(with: service) - before) * 1_000 / 15, "ms", goal: .atMost(150))
        }
        service.stop()
    }

    /// The processor time of a service and of all commands that have ended, in seconds: how long a
    /// person waits on a machine that does nothing else.
    private static func processorTime(with service: Child) throws -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return try times.reduce(service.processorTime()) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
}
