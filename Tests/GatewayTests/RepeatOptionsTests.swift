import Bus
import Messages
import Testing

@testable import Gateway

/// When a change is made again because someone else has made another meanwhile.
struct RepeatOptionsTests {
    private static let changed = Refusal.changedSince("the routine")
    private static let unexplained = Refusal.conflict("the routine is at revision 2")
    private static let other = Refusal.conflict("several routines").because(.idAmbiguous)

    /// Makes a change that is refused at first, and returns how often it was made.
    ///
    /// - Parameters:
    ///   - refusals: the refusals, in order; after them the change is made.
    ///   - words: the options that are typed.
    ///   - seen: the version that the change reads; nil if it reads none.
    ///   - versions: the versions that there are when it is looked up, in order.
    private func attempts(
        _ refusals: [Refusal], _ words: [String] = [], seen: Int? = 1, versions: [Int] = []
    ) throws -> Int {
        let options = try RepeatOptions.parse(words)
        var made = 0
        var versions = versions[...]
        try options.retrying { version in
            version = seen
            made += 1
            if made <= refusals.count { throw ClientError.refused(refusals[made - 1]) }
        } version: {
            let version = versions.popFirst()
            return try #require(version, "the version is looked up")
        }
        return made
    }

    @Test func `a change is made again, three times at most, if someone else was first`() throws {
        #expect(try attempts([]) == 1)
        #expect(try attempts([Self.changed]) == 2)
        #expect(try attempts([Self.changed, Self.changed]) == 3)
        #expect(throws: ClientError.self) {
            _ = try attempts([Self.changed, Self.changed, Self.changed])
        }
    }

    @Test func `a conflict for another reason is not tried again`() {
        #expect(throws: ClientError.self) { _ = try attempts([Self.other]) }
        #expect(throws: ClientError.self) { _ = try attempts([.forbidden("no")]) }
    }

    @Test func `an unexplained conflict is tried again only if there is another version`() throws {
        #expect(try attempts([Self.unexplained], versions: [2]) == 2)
        #expect(throws: ClientError.self) { _ = try attempts([Self.unexplained], versions: [1]) }
    }

    @Test func `a command that has an id, or whose version was typed, isn't made again`() {
        let id = "0192e4a1-7b3c-7def-8123-456789abcdef"
        #expect(throws: ClientError.self) { _ = try attempts([Self.changed], ["--id", id]) }
        #expect(throws: ClientError.self) { _ = try attempts([Self.changed], seen: nil) }
    }
}
