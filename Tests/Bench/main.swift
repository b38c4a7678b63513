import Foundation

/// Measures what the project promises, each figure beside a reference of the same run.
///
/// `steward-bench [FILE]` prints a table and writes the figures to FILE as JSON.
var figures = Figures()
print(Figures.header)
try CodecBench.run(&figures)
for transport in ["ipc", "tcp", "curve"] { try CommandBench.run(transport, &figures) }
try TokenBench.run(&figures)
try LogInBench.run(&figures)
for transport in ["ipc", "tcp", "curve"] { try EventBench.run(transport, &figures) }
try FootprintBench.run(&figures)
try TransitBench.run(&figures)
try ShiftBench.run(&figures)
try ChecklistBench.run(&figures)
if CommandLine.arguments.count > 1 { try figures.write(to: CommandLine.arguments[1]) }
let missed = figures.all.filter { $0.met == false }
print(missed.isEmpty ? "every goal is met" : "\(missed.count) goals are not met")
