import CSodium

/// libsodium, initialized once for the process.
enum Sodium {
    /// True when the library was initialized.
    private static let isReady = sodium_init() >= 0

    /// Initializes the library.
    static func prepare() {
        precondition(isReady, "libsodium can't be made ready: the system gives no random numbers")
    }

    /// Cryptographically secure random bytes.
    static func randomBytes(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, bytes.count)
        return bytes
    }
}
