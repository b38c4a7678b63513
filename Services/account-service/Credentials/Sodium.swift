import CSodium

/// libsodium, made ready once for the process.
enum Sodium {
    /// True when it may be used.
    private static let isReady = sodium_init() >= 0

    /// Makes the library ready.
    static func prepare() {
        precondition(isReady, "libsodium can't be made ready: the system gives no random numbers")
    }

    /// Random bytes that no one can guess.
    static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, bytes.count)
        return bytes
    }
}
