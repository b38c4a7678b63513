import Foundation
import TestSupport
import Testing

@testable import Bus

@Suite struct KeyRingTests {
    let system: System
    let ring: KeyRing

    init() throws {
        system = try System()
        ring = KeyRing(directory: system.path("keys"))
    }

    @Test func `a process has a public key with its role, and a secret that only its owner reads`()
        throws
    {
        let entry = try ring.create("test", role: .gateway)

        let text = try String(contentsOfFile: system.path("keys/test.public"), encoding: .utf8)
        #expect(text == "key \(entry.publicKey)\nrole gateway\n")
        #expect(try mode("keys") == 0o700)
        #expect(try mode("keys/test.secret") == 0o600)
        #expect(try ring.entries() == [entry])
        #expect(ring.hasSecret("test"))
    }

    @Test func `a key pair is made once`() throws {
        let first = try ring.create("test", role: .gateway)

        #expect(try ring.create("test", role: .gateway) == first)
        #expect(throws: taken) { try ring.create("test", role: .display) }
        #expect(throws: taken) {
            try ring.register("test", role: .gateway, publicKey: anotherKey())
        }
    }

    @Test func `a key from another host has no secret here`() throws {
        let key = try anotherKey()

        let entry = try ring.register("laptop", role: .gateway, publicKey: key)

        #expect(try ring.register("laptop", role: .gateway, publicKey: key) == entry)
        #expect(try ring.publicKey(of: "laptop") == key)
        #expect(!ring.hasSecret("laptop"))
        #expect(throws: ConfigurationError("this key is in the ring already, as laptop")) {
            try ring.register("desk", role: .display, publicKey: key)
        }
    }

    @Test func `a secret that is kept apart stays the same, and is kept nowhere else`() throws {
        try ring.create("test", role: .service)
        let secret = try String(contentsOfFile: system.path("keys/test.secret"), encoding: .utf8)

        // Twice, because a stack makes its keys at each start.
        for _ in 1...2 {
            try ring.create("test", role: .service)
            try ring.keepApart("test", in: system.path("apart"))
        }

        let place = system.path("apart/test/test.secret")
        #expect(try String(contentsOfFile: place, encoding: .utf8) == secret)
        #expect(ring.hasSecret("test"))
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: system.path("keys/test.secret"))
        #expect(link == place)
        #expect(try mode("apart/test") == 0o700)
        #expect(try mode("apart/test/test.secret") == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: system.path("keys")).sorted()
                == ["test.public", "test.secret"])

        // A program that has only the ring has no secret.
        try FileManager.default.moveItem(
            atPath: system.path("apart"), toPath: system.path("elsewhere"))
        #expect(!ring.hasSecret("test"))
    }

    @Test func `revoking deletes a key that was kept apart, and a new one can be moved there too`()
        throws
    {
        let old = try ring.create("test", role: .service)
        try ring.keepApart("test", in: system.path("apart"))

        try ring.revoke("test")
        #expect(!FileManager.default.fileExists(atPath: system.path("apart/test/test.secret")))

        let new = try ring.create("test", role: .service)
        try ring.keepApart("test", in: system.path("apart"))
        #expect(new.publicKey != old.publicKey)
        #expect(try ring.publicKey(of: "test") == new.publicKey)
        #expect(FileManager.default.fileExists(atPath: system.path("apart/test/test.secret")))
    }

    @Test func `a revoked key stays revoked, and its name can have a new one`() throws {
        let old = try ring.create("test", role: .display)
        try ring.revoke("test")

        #expect(!ring.hasSecret("test"))
        #expect(try ring.entries().map(\.isRevoked) == [true])
        #expect(
            throws: ConfigurationError(
                "the key of test was revoked; make a new one with steward keys add test --role "
                    + "display")
        ) { try ring.publicKey(of: "test") }
        #expect(throws: ConfigurationError("this key was revoked as test; make a new one")) {
            try ring.register("other", role: .display, publicKey: old.publicKey)
        }
        #expect(try ring.create("test", role: .display).publicKey != old.publicKey)
    }

    @Test func `a revoked key can't be added again, even when its name has had other keys since`()
        throws
    {
        let first = try ring.create("test", role: .display)
        try ring.revoke("test")
        let second = try ring.create("test", role: .display)
        try ring.revoke("test")
        let third = try ring.register("test", role: .display, publicKey: anotherKey())

        #expect(third.formerKeys == [first.publicKey, second.publicKey])
        #expect(try ring.entries() == [third])
        for (old, name) in [(first, "test"), (first, "other"), (second, "other")] {
            #expect(throws: ConfigurationError.self) {
                try ring.register(name, role: .display, publicKey: old.publicKey)
            }
        }
        #expect(throws: ConfigurationError("this key was revoked as test; make a new one")) {
            try ring.register("other", role: .display, publicKey: first.publicKey)
        }
        #expect(try ring.entries() == [third])
    }

    @Test func `a copy of an old key file doesn't bring a revoked key back`() throws {
        let old = try ring.create("test", role: .gateway)
        let copy = try Data(contentsOf: URL(filePath: system.path("keys/test.public")))
        var peers = try Peers(ring)
        #expect(peers.peer(of: old.publicKey)?.name == "test")

        try ring.revoke("test")
        let new = try ring.create("test", role: .gateway)
        for name in ["a", "z"] {
            try copy.write(to: URL(filePath: system.path("keys/\(name).public")))
        }

        let isChanged = peers.refresh()
        #expect(isChanged)
        #expect(peers.peer(of: old.publicKey) == nil)
        #expect(peers.key(of: "a") == nil)
        #expect(peers.key(of: "z") == nil)
        #expect(peers.peer(of: new.publicKey)?.name == "test")
    }

    @Test func `a key that came and went between two looks is disconnected, even if replaced`()
        throws
    {
        try ring.create("notifier", role: .service)
        var peers = try Peers(ring)

        try ring.create("test", role: .gateway)
        try ring.revoke("test")
        try ring.create("test", role: .gateway)

        let (isChanged, isChangedAgain) = (peers.refresh(), peers.refresh())
        #expect(isChanged && !isChangedAgain)
    }

    @Test(arguments: ["", "../notifier", "a/b", ".hidden", "Upper", "a b"])
    func `an invalid name is refused`(name: String) {
        #expect(
            throws: ConfigurationError(
                "“\(name)” can't be the name of a process; it has up to 60 lowercase letters, "
                    + "digits, - and _")
        ) { try ring.create(name, role: .service) }
    }

    @Test func `a fault in a file is reported with its name and how to fix it`() throws {
        let path = system.path("keys/test.public")
        #expect(
            throws: ConfigurationError(
                "the key file \(path) is missing or can't be read; steward keys list shows what "
                    + "there is")
        ) { try ring.publicKey(of: "test") }
        #expect(
            throws: ConfigurationError(
                "can't read the key directory \(system.path("keys")); make one with steward keys "
                    + "init")
        ) { try ring.entries() }

        try system.makeFolder("keys")
        try write("short\n", to: path)
        #expect(
            throws: ConfigurationError(
                "\(path) has no line “key” with a CURVE key of 40 characters; delete it and make "
                    + "it anew with steward keys add")
        ) { try ring.publicKey(of: "test") }
        try write("key \(try anotherKey())\n", to: path)
        #expect(
            throws: ConfigurationError(
                "\(path) has no line “role service”, “role gateway” or “role display”; add the one "
                    + "that is meant")
        ) { try ring.publicKey(of: "test") }
    }

    @Test func `a secret that others may read is refused`() throws {
        try ring.create("test", role: .gateway)
        chmod(system.path("keys/test.secret"), 0o640)

        #expect(
            throws: ConfigurationError(
                "others may read the secret key \(system.path("keys/test.secret")), so it isn't "
                    + "secret; make a new one: steward keys revoke test, then steward keys add")
        ) {
            try system.connection(bus: "tcp://127.0.0.1:5000", keys: "keys")
                .connect(.dealer, to: .notifier, .commands)
        }
    }

    @Test func `a key ring that others may write to is refused`() throws {
        try ring.create("notifier", role: .service)
        chmod(system.path("keys"), 0o770)

        #expect(
            throws: ConfigurationError(
                "others may write into the key directory \(system.path("keys")) and could let "
                    + "themselves in; close it with chmod 700 \(system.path("keys"))")
        ) { try ring.entries() }
    }

    private var taken: ConfigurationError {
        ConfigurationError(
            "test is in the ring with another key or role; choose another name, or end that one "
                + "first with steward keys revoke test")
    }

    private func anotherKey() throws -> String {
        try KeyRing(directory: system.path("other-\(UUID())")).create("x", role: .service).publicKey
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: system.path(name))[.posixPermissions]
            as? Int
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
