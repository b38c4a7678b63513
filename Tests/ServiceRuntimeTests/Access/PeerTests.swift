import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// What a key lets its owner do, over encrypted TCP.
    @Suite(.serialized) struct Keys {
        let system: System
        let bus = "tcp://127.0.0.1:\(Loopback.port())"

        init() throws {
            system = try System()
            try system.makeKeys(["test": .gateway, "ear": .service])
        }

        @discardableResult
        private func start(_ tool: String, keys: String = "keys") throws -> Program {
            let program = try system.launch(
                tool, bus: bus, adding: ["STEWARD_KEYS": system.path(keys)])
            try program.waitUntilReady()
            return program
        }

        private func client(as process: String, keys: String = "keys") throws -> Client {
            try system.client(as: process, bus: bus, keys: keys)
        }

        private func refusal(_ client: Client, of replay: Replay) throws -> Refusal? {
            do {
                _ = try client.ask(replay, for: ReplayPage.self)
                return nil
            } catch ClientError.refused(let refusal) { return refusal }
        }

        @Test func `only services may ask for a replay, each under its own name`() throws {
            try start("toy-service")
            let (gateway, notifier) = try (client(as: "test"), client(as: "notifier"))
            let all = Replay(limit: 500)

            #expect(
                try refusal(gateway, of: all)
                    == Refusal(code: .forbidden, message: "only a service may do this"))
            #expect(try refusal(notifier, of: all) == nil)
            let epoch = try notifier.ask(all, for: ReplayPage.self).epoch
            let report = Replay(follower: "notifier", epoch: epoch)
            #expect(try refusal(notifier, of: report) == nil)
            #expect(
                try refusal(try client(as: "ear"), of: report)
                    == Refusal(code: .forbidden, message: "this is not the key of notifier"))
            #expect(
                try system.query(.transitAlert, "SELECT name FROM follower") == [["notifier"]])
        }

        @Test func `no token gives access to what needs a service's key`() throws {
            let authority = try makeAuthority()
            try start("toy-service")
            let gateway = try client(as: "test")
            gateway.token = authority.token("ann", grants: [Grant(role: .owner)])

            let deposited = try gateway.ask(Deposit(account: "a", amount: 1), for: Deposited.self)
            let refused = try refusal(gateway, of: Replay(limit: 500))

            #expect(deposited.balance == 1)
            #expect(refused?.message == "only a service may do this")
        }

        @Test func `a revoked service is no longer followed, until it has a new key`()
            throws
        {
            let authority = try makeAuthority()
            try FileManager.default.copyItem(
                atPath: system.path("keys"), toPath: system.path("others"))
            let service = try start("toy-service")
            let follower = try start("toy-follower", keys: "others")
            let ear = try system.connection(as: "ear", bus: bus, keys: "keys")
                .connect(.subscriber, to: .notifier, .events, subscribing: [Heartbeat.topic])
            let gateway = try client(as: "test")
            gateway.token = authority.token("ann")
            _ = try gateway.ask(Deposit(account: "a", amount: 1), for: Deposited.self)
            try eventually("the first event is followed\n\(follower.lastWords)") {
                try seen() == 1
            }

            try KeyRing(directory: system.path("others")).revoke("transit-alert-service")
            try eventually("the follower leaves\n\(follower.lastWords)") {
                follower.err.contains("producer has no key")
            }
            _ = try gateway.ask(Deposit(account: "a", amount: 1), for: Deposited.self)
            while try ear.receive() != nil {}
            for _ in 0..<3 { try hearBeat(ear) }
            #expect(try seen() == 1)

            try renewKey(of: "transit-alert-service")
            service.kill()
            try start("toy-service")
            try eventually("it is followed again\n\(follower.lastWords)") { try seen() == 2 }
        }

        @Test(arguments: [true, false])
        func `a service starts while another has no key, and follows it once it has one`(
            isRevoked: Bool
        ) throws {
            let authority = try makeAuthority()
            let ring = KeyRing(directory: system.path("keys"))
            if isRevoked {
                try ring.revoke("transit-alert-service")
            } else {
                for kind in ["public", "secret"] {
                    try FileManager.default.removeItem(
                        atPath: system.path("keys/transit-alert-service.\(kind)"))
                }
            }

            let follower = try start("toy-follower")
            #expect(follower.err.contains("producer has no key"))

            try ring.create("transit-alert-service", role: .service)
            try start("toy-service")
            let gateway = try client(as: "test")
            gateway.token = authority.token("ann")
            _ = try gateway.ask(Deposit(account: "a", amount: 1), for: Deposited.self)
            try eventually("it is followed\n\(follower.lastWords)") { try seen() == 1 }
        }

        /// An authority whose tokens the toy service accepts, without an account-service.
        private func makeAuthority() throws -> Authority {
            let authority = Authority()
            let hex = { (bytes: [UInt8]) in
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            try system.start("toy-service").kill()
            let key = authority.publicKey
            try system.edit(
                .transitAlert,
                """
                INSERT INTO accessKey (id, key, ends)
                VALUES (x'\(hex(Array(key.prefix(8))))', x'\(hex(key))', 0)
                """)
            return authority
        }

        private func renewKey(of process: String) throws {
            let ring = KeyRing(directory: system.path("keys"))
            try ring.revoke(process)
            let fresh = try ring.create(process, role: .service)
            try KeyRing(directory: system.path("others"))
                .register(process, role: .service, publicKey: fresh.publicKey)
        }

        private func seen() throws -> Int {
            try system.query(.notifier, "SELECT event FROM seen").count
        }

        private func hearBeat(_ ear: Socket) throws {
            try eventually("a heartbeat comes") { try ear.receive() != nil }
        }
    }
}
