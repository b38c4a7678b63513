import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime

/// The threads of slow commands and errands.
struct SlowWorkerTests {
    @Test func `a worker does work it was given before its thread started`() throws {
        var ids = MessageID.Generator()
        let path = NSTemporaryDirectory() + "steward-\(UUID().uuidString).crash"
        defer { unlink(path) }
        let record = try CrashRecord(path: path)
        for number in 0..<20 {
            let worker = try SlowWorker(
                named: "test-\(number)", noting: record, at: .worker(number))
            let id = ids.next(at: 0)

            try worker.begin({ number }, for: id, as: "test")

            var done: Int?
            try eventually("work \(number) is done") {
                guard let (command, result) = try worker.takeResult() else { return false }
                #expect(command == id)
                done = try result.get() as? Int
                return true
            }
            #expect(done == number)
        }
    }
}
