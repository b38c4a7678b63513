import Testing

/// What a newcomer sees first.
struct TopLevelTests {
    /// The files and folders of the top level that are not hidden.
    private static let expected: Set<String> = [
        "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
        "Package.swift", "README.md", "SECURITY.md", "Services", "Shared", "Tests",
        "compose.yaml", "deploy", "docs",
    ]

    @Test func `nothing lies at the top level that doesn't belong there`() {
        let names = Set(Repository.paths.compactMap { $0.split(separator: "/").first })
            .map { String($0) }
        let strangers = names.filter { !$0.hasPrefix(".") && !Self.expected.contains($0) }

        #expect(names.contains("README.md"))
        #expect(strangers == [])
    }
}
