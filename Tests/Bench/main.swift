import Foundation

/// Measures what the project promises, each figure with a reference in the same run.
///
/// `steward-bench [FILE [NAME…]]` prints a table and writes the figures to FILE as JSON; names
/// limit it to those measurements.
let transports = ["ipc", "tcp", "curve"]
let benches: [(name: String, run: (inout Figures) throws -> Void)] = [
    ("codec", CodecBench.run),
    ("command", { for transport in transports { try CommandBench.run(transport, &$0) } }),
    ("token", TokenBench.run),
    ("log-in", LogInBench.run),
    ("event", { for transport in transports { try EventBench.run(transport, &$0) } }),
    ("alert", AlertBench.run),
    ("escalation", EscalationBench.run),
    ("footprint", FootprintBench.run),
    ("fairness", FairnessBench.run),
    ("transit", TransitBench.run),
    ("journey", JourneyBench.run),
    ("shift", ShiftBench.run),
    ("checklist", ChecklistBench.run),
    ("plan", PlanBench.run),
    ("plan-editor", EditorBench.run),
    ("plan-edit", PlanEditBench.run),
    ("catalogue", CatalogueBench.run),
    ("drawing", DrawingBench.run),
    ("access", AccessBench.run),
    ("scheduling", SchedulingBench.run),
    ("meet", MeetingBench.run),
    ("project", ProjectBench.run),
    ("gantt", GanttBench.run),
    ("day", DayBench.run),
    ("day-command", DayCommandBench.run),
    ("web", WebBench.run),
]
let wanted = CommandLine.arguments.dropFirst(2)
let unknown = wanted.filter { name in !benches.contains { $0.name == name } }
guard unknown.isEmpty else {
    print(
        "there is no \(unknown.joined(separator: ", ")); there is "
            + benches.map(\.name).joined(separator: ", "))
    exit(64)
}
// A missing reference, such as GEOS, is left out: writing to it must not end this program.
signal(SIGPIPE, SIG_IGN)
var figures = Figures()
print(Figures.header)
for bench in benches where wanted.isEmpty || wanted.contains(bench.name) {
    try bench.run(&figures)
}
if CommandLine.arguments.count > 1 { try figures.write(to: CommandLine.arguments[1]) }
let missed = figures.all.filter { $0.met == false }
print(missed.isEmpty ? "every goal is met" : "\(missed.count) goals are not met")
