import Foundation
import Messages
import Phrases
import Testing
import WorkingCopy

@testable import ShiftClient

/// The search for operations that make a service refuse whole messages.
struct RefusalSearchTests {
    private static let unread = Refusal.invalid("the text can't be read").because(.fieldLimit)

    private static func operations(_ count: Int) -> [ShiftOperation] {
        (1...count).map { number in
            ShiftOperation(
                id: [UInt8](repeating: UInt8(number), count: 16), device: "phone",
                deviceSequence: UInt64(number), change: .note(NoteTask(text: "\(number)")))
        }
    }

    /// Sends operations to a service that refuses each message with one of these numbers in it,
    /// unless the operation with the number has no change.
    ///
    /// - Returns: what was sent, in order, and the outcomes; nil if the search gave up.
    private static func play(
        _ operations: [ShiftOperation], unreadable: Set<UInt64>
    ) -> (sent: [ShiftOperation], outcomes: [OperationOutcome], messages: Int)? {
        var search = RefusalSearch()
        var (rest, messages) = (operations[...], 0)
        var sent: [ShiftOperation] = []
        var outcomes: [OperationOutcome] = []
        while !rest.isEmpty {
            let message = search.message(of: Array(rest))
            messages += 1
            let isBad = message.contains {
                $0.change != nil && unreadable.contains($0.deviceSequence)
            }
            guard !isBad else {
                guard search.narrow(message, unread) else { return nil }
                continue
            }
            sent += message
            outcomes += search.conclude(
                message.map { one in
                    one.change == nil
                        ? OperationOutcome(id: one.id, .invalid("it says nothing"))
                        : OperationOutcome(id: one.id, kind: .takenIn)
                })
            rest = rest.dropFirst(message.count)
        }
        return (sent, outcomes, messages)
    }

    @Test func `the operations that can't be read are found, and all others go in order`() throws {
        let operations = Self.operations(200)
        let bad: Set<UInt64> = [4, 5, 130, 200]

        let (sent, outcomes, messages) = try #require(Self.play(operations, unreadable: bad))

        #expect(sent.map(\.id) == operations.map(\.id))
        for (operation, (one, outcome)) in zip(operations, zip(sent, outcomes)) {
            let isBad = bad.contains(operation.deviceSequence)
            #expect(one == (isBad ? operation.withoutChange : operation))
            #expect(outcome.kind == (isBad ? .refused : .takenIn))
            // The reason is about the operation itself, not about the one sent in its place.
            if isBad { #expect(outcome.whyRefused == Self.unread) }
        }
        #expect(messages < 80, "\(messages)")
    }

    @Test func `if even an operation without a change is refused, none is set aside`() throws {
        var search = RefusalSearch()
        let operations = Self.operations(3)
        for _ in 0..<3 {
            while search.narrow(search.message(of: operations), Self.unread) {}
            #expect(search.unreadable.isEmpty)
            #expect(search.message(of: operations) == [operations[0]])
        }
    }

    @Test(arguments: [
        Refusal.forbidden("this needs the role").because(.roleLacking),
        Refusal.conflict("a photo is missing").because(.photoMissing),
        Refusal.conflict("the shift is full").because(.operationLimit),
        Refusal.invalid("the clock is wrong").because(.idAhead),
        Refusal.invalid("the clock is wrong").because(.idOld),
        Refusal.invalid("the clock was set back").because(.answerDeleted),
    ])
    func `operations refused for another reason are sent as they are`(refusal: Refusal) throws {
        var search = RefusalSearch()
        let operations = Self.operations(3)

        let isNarrowed = search.narrow(operations, refusal)

        #expect(!isNarrowed)
        #expect(search.message(of: operations) == operations)
    }

    @Test func `the page and steward know the same reasons that are about an id`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Services/web-service/Web/courier.js").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /const ofID = new Set\(\[([^\]]*)\]\)/)).1
        let page = list.matches(of: /"([a-z.]+)"/).map { String($0.1) }

        let steward = RefusalReason.allCases.filter { Refusal.invalid("").because($0).isOfID }

        #expect(steward.count >= 4 && page.sorted() == steward.map(\.rawValue).sorted())
    }

    @Test func `an operation that the service had already recorded is not refused`() throws {
        var search = RefusalSearch()
        let operations = Self.operations(1)
        let isNarrowed = search.narrow(operations, Self.unread)
        #expect(isNarrowed)
        #expect(search.message(of: operations) == [operations[0].withoutChange])
        let known = OperationOutcome(
            id: operations[0].id, kind: .takenIn, operation: operations[0])

        #expect(search.conclude([known]) == [known])
        #expect(search.unreadable.isEmpty)
    }

    @Test func `a screen says what was set aside, why, and where it is`() {
        let operation = ShiftOperation(change: .mark(MarkTask(list: "pre", task: "floor")))
        let list = ChecklistTemplate(
            id: "pre",
            sections: [ChecklistSection(tasks: [ChecklistTask(id: "floor", title: "Mop it")])])
        let title = OperationLine().title(operation, [list])
        #expect(
            Words<ScreenPhrase>(.english).setAside(title, Self.unread)
                == "set aside, see steward shift refused: Mop it: the text can't be read")
    }
}
