public import Testing

/// Runs the tests of a suite, and of the suites in it, on threads for tests that wait; see
/// ``WaitingThreads``.
public struct Waiting: SuiteTrait, TestScoping {
    fileprivate let isEarly: Bool

    /// Runs the suite where its tests may wait.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let threads = WaitingThreads.shared
        try await withTaskExecutorPreference(isEarly ? threads.early : threads.others) {
            try await function()
        }
    }
}

extension Trait where Self == Waiting {
    /// The tests start programs and wait for them.
    public static var waiting: Self { Self(isEarly: false) }
    /// The same for a suite that takes minutes, whose tests run one after another.
    public static var waitingEarly: Self { Self(isEarly: true) }
}
