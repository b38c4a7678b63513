import Foundation
import TestSupport
import Testing

@testable import Messages

let everyMessage = alertMessages + busMessages + transitMessages + everyKindMessages

@Suite struct `Every message` {
    @Test(arguments: Seed.some(100))
    func `unpacks to what was packed`(seed: Seed) throws {
        for type in everyMessage { try roundTrip(type, seed) }
    }

    private func roundTrip<M: ProtobufMessage & Arbitrary>(_: M.Type, _ start: Seed) throws {
        var seed = start
        let message = M.any(&seed)

        let bytes = message.packed()

        #expect(try M(unpacking: bytes) == message)
        #expect(try M(unpacking: bytes).packed() == bytes)
    }
}
