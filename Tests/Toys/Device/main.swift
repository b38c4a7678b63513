import Foundation
import Messages
import WorkingCopy

/// A device that works on a shift forever and reports what it has saved: a line on standard output
/// for each operation, after it was saved. When it is started again on the same folder, it
/// continues.
///
/// Arguments: the folder, and the shift's id.
struct ToyDevice {
    let folder: DeviceFolder
    let shift: String
    var ids = MessageID.Generator()
    var time: Int64 = 1_800_000_000_000

    mutating func run() throws {
        let snapshot = ShiftSnapshot(shift: Shift(id: shift, site: "harbour"))
        let copy = try folder.begin(snapshot)
        say("begun \(copy.device)")
        while true {
            for _ in 0..<3 {
                time += 1000
                let change = ShiftOperation.Change.note(NoteTask(list: "l", task: "t", text: "x"))
                let kept = try copy.append(change, id: ids.next(at: time), deviceTime: time)
                say("kept \(kept.deviceSequence)")
            }
            // The service recorded the first waiting operation, and refuses the next one.
            var first = copy.waiting[0]
            let second = copy.waiting[1]
            first.sequence = copy.head + 1
            try copy.add(OperationPage(operations: [first], head: first.sequence))
            say("ordered \(first.deviceSequence)")
            try copy.settle([OperationOutcome(id: second.id, kind: .refused, refusal: "no")])
            say("refused \(second.deviceSequence)")
            if copy.refused.count > 4 {
                let old = copy.refused[0].operation
                try copy.dismiss(old)
                say("dismissed \(old.deviceSequence)")
            }
        }
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

var generator = MessageID.Generator()
let arguments = CommandLine.arguments
var device = ToyDevice(
    folder: try DeviceFolder(at: arguments[1], newID: generator.next(at: 1_800_000_000_000)),
    shift: arguments[2])
try device.run()
