import Bus
import GRDB
import TestStore
import Testing

@testable import ServiceRuntime

/// What is known of acts that have ended the process.
struct SuspectsTests {
    private let store: MemoryStore
    private let record: CrashRecord
    private let log = Log(service: "test", threshold: .error)

    init() throws {
        store = try MemoryStore(of: .plan)
        try store.system.makeFolder("data")
        record = try CrashRecord(path: store.system.path("data/crash"))
    }

    private func start() throws -> Suspects {
        try store.queue.write { try Suspects(record, $0, at: 1, log: log) }
    }

    @Test(arguments: ["event toy.X a", "event toy.Xy " + String(repeating: "å", count: 1000)])
    func `an act is put aside whatever its length, and done again once it is cleared`(
        act: String
    ) throws {
        for _ in 0..<Suspects.mostDeaths {
            let suspects = try start()
            #expect(suspects.reason(against: act) == nil)
            suspects.begin(act)
        }

        let suspects = try start()
        #expect(suspects.reason(against: act) == "the process ended 10 times while it did this")
        #expect(suspects.reason(against: "event toy.Z") == nil)
        try store.queue.write { try suspects.clear(act, $0) }
        #expect(suspects.reason(against: act) == nil)
        #expect(try start().reason(against: act) == nil)
    }
}
