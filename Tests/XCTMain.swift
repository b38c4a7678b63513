import Testing

/// Runs the tests. Without this file SwiftPM makes one of its own, for which it looks for the tests
/// of XCTest in the compiler's index: there are none, and the index takes a quarter of the time of
/// a build.
@main struct Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
