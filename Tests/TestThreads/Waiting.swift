public import Testing

/// Runs the tests of a suite, and of the suites in it, on threads for tests that wait; see
/// ``WaitingThreads``.
public struct Waiting: SuiteTrait, TestScoping {
    /// Runs the suite where its tests may wait.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == Waiting {
    /// The tests start programs and wait for them.
    public static var waiting: Self { Self() }
}
