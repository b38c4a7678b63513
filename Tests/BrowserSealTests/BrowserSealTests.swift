import BrowserSeal
import Testing

/// The seal on a browser's refresh token.
struct BrowserSealTests {
    @Test func `only the cookie that sealed a secret opens it`() throws {
        let (mine, yours) = (BrowserSeal.fresh(), BrowserSeal.fresh())
        let sealed = mine.seal([1, 2, 3])
        #expect(mine.open(sealed) == [1, 2, 3])
        #expect(try #require(BrowserSeal(cookie: mine.cookie)).open(sealed) == [1, 2, 3])
        #expect(yours.open(sealed) == nil)
    }

    @Test func `a sealed secret that was altered or cut short isn't opened`() {
        let seal = BrowserSeal.fresh()
        let sealed = seal.seal(Array(1...32))
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(seal.open(altered) == nil)
            #expect(seal.open(Array(sealed[..<index])) == nil)
        }
    }

    @Test func `neither the name nor what is sealed contains the cookie or the secret`() {
        let seal = BrowserSeal.fresh()
        let secret = BrowserSeal.random(32)
        let sealed = seal.seal(secret)
        #expect(seal.name != seal.cookie)
        #expect(!sealed.indices.dropLast(31).contains { Array(sealed[$0..<$0 + 32]) == secret })
        #expect(seal.seal(secret) != sealed)
    }

    @Test func `a cookie of another size is not accepted`() {
        for size in [0, 1, 31, 33, 64] {
            #expect(BrowserSeal(cookie: [UInt8](repeating: 7, count: size)) == nil)
        }
    }
}
