import CCurl

/// What every transfer by libcurl needs.
enum Curl {
    /// True when libcurl can be used.
    static let isReady: Bool = ccurl_begin() == CURLE_OK
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
