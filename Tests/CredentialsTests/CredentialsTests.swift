import CSodium
import Testing

@testable import Credentials

@Suite struct CredentialsTests {
    @Test func `a hash accepts its password and no other`() throws {
        let hash = try PasswordHash(of: "correct horse", cost: .least)

        #expect(hash.accepts("correct horse"))
        #expect(!hash.accepts("correct horsf"))
        #expect(!hash.accepts(""))
        #expect(hash.text.hasPrefix("$argon2id$"))
    }

    @Test func `a password gets a different hash each time`() throws {
        let first = try PasswordHash(of: "correct horse", cost: .least)
        let second = try PasswordHash(of: "correct horse", cost: .least)

        #expect(first != second)
    }

    @Test func `any text can be a password`() throws {
        for password in ["", "ünïcødé 🚲 密码", "nul\u{0}in the middle", "e\u{301}"] {
            let hash = try PasswordHash(of: password, cost: .least)

            #expect(hash.accepts(password))
            #expect(!hash.accepts(password + "x"))
        }
    }

    @Test func `a password matches whatever its Unicode composition`() throws {
        let hash = try PasswordHash(of: "caf\u{e9} au lait", cost: .least)

        #expect(hash.accepts("cafe\u{301} au lait"))
    }

    @Test func `a hash with less than today's cost is replaced`() throws {
        let old = try PasswordHash(of: "correct horse", cost: .least)
        let new = try PasswordHash(of: "correct horse")

        #expect(old.needsRehash())
        #expect(!new.needsRehash())
        #expect(new.text.contains("m=19456,t=2,p=1"))
    }

    @Test func `an invalid hash accepts no password`() {
        for text in ["", "x", "$argon2id$", "$argon2id$v=19$m=8,t=1,p=1$$"] {
            #expect(!PasswordHash(text).accepts(""))
        }
    }

    @Test func `a code is accepted however it is typed`() throws {
        let code = Secret.code()
        let hash = try #require(Secret.hash(code: code))

        #expect(code.count == 23)
        #expect(Secret.hash(code: code.lowercased()) == hash)
        #expect(Secret.hash(code: code.filter { $0 != "-" }) == hash)
        #expect(
            Secret.hash(code: code.replacing("0", with: "o").replacing("1", with: "l")) == hash)
        #expect(Secret.hash(code: String(code.dropLast())) == nil)
        #expect(Secret.hash(code: "correct horse battery") == nil)
    }

    @Test func `tokens and codes do not repeat`() {
        #expect(Set((0..<1000).map { _ in Secret.token() }).count == 1000)
        #expect(Set((0..<1000).map { _ in Secret.code() }).count == 1000)
        #expect(Secret.token().count == 32)
    }

    @Test func `a signature is accepted only with the public key and for its message`() {
        let key = SigningKey()
        let message = Array("claims".utf8)
        let signature = key.sign(message)
        let isGood = { (message: [UInt8], key: SigningKey) in
            crypto_sign_verify_detached(
                signature, message, UInt64(message.count), key.publicKey) == 0
        }

        #expect(isGood(message, key))
        #expect(!isGood(message + [0], key))
        #expect(!isGood(message, SigningKey()))
        #expect(SigningKey(seed: key.seed) == key)
        #expect(SigningKey(seed: [1]) == nil)
        #expect(key.id == Array(key.publicKey.prefix(8)))
    }

    /// RFC 8032, section 7.1, test 2.
    @Test func `a signature equals the standard's test vector`() throws {
        let seed: [UInt8] = [
            0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3, 0x46, 0xec, 0x11,
            0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab, 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed,
            0x4f, 0xb8, 0xa6, 0xfb,
        ]
        let key = try #require(SigningKey(seed: seed))

        #expect(key.id == [0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a])
        #expect(key.sign([0x72]).prefix(6) == [0x92, 0xa0, 0x09, 0xa9, 0xf0, 0xd4])
    }
}
