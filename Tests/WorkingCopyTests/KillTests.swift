import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WorkingCopy

/// A device that is killed while it works.
@Suite(.serialized, .waiting) struct DeviceKillTests {
    @Test(arguments: Seed.some(25))
    func `what a device reported as kept is there after a kill`(seed: Seed) throws {
        var seed = seed
        let system = try System()
        let path = system.path("device")
        for _ in 0..<3 {
            let program = try system.spawn(tool: "toy-device", [path, Device.shift])
            let lines = seed.below(40)
            try eventually("it has worked") {
                program.out.split(separator: "\n").count > lines || !program.isRunning
            }
            program.kill()
            #expect(program.err == "")
            try check(program.out, path)
        }
    }

    private func check(_ said: String, _ path: String) throws {
        let folder = try DeviceFolder(at: path, newID: try Device.id(99))
        let copy = try #require(try folder.open(shift: Device.shift))
        let waiting = Set(copy.waiting.map(\.deviceSequence))
        let ordered = Set(copy.operations.map(\.deviceSequence))
        let refused = Set(copy.refused.map(\.operation.deviceSequence))
        var left: Set<UInt64> = []
        for line in said.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = UInt64(words[1]) else { continue }
            if words[0] == "kept" { #expect(number <= copy.deviceHead) }
            if words[0] == "ordered" { #expect(ordered.contains(number)) }
            if words[0] == "dismissed" { left.insert(number) }
        }
        // Each number is in exactly one place, and none is missing except dismissed ones.
        #expect(waiting.isDisjoint(with: ordered) && refused.isDisjoint(with: ordered))
        #expect(waiting.isDisjoint(with: refused))
        let gone = Set(1...max(1, copy.deviceHead)).subtracting(waiting).subtracting(ordered)
            .subtracting(refused)
        #expect(copy.deviceHead == 0 || gone.isSuperset(of: left))
        #expect(left.isDisjoint(with: waiting.union(ordered).union(refused)))
        #expect(folder.device == copy.device)
    }
}
