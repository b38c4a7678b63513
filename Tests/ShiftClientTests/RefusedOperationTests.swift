import Foundation
import Messages
import Phrases
import ShiftLog
import Testing

@testable import ShiftClient

/// Why single operations of a shift are refused, in the languages of pages and screens.
struct RefusedOperationTests {
    private static let started: Int64 = 1_795_248_000_000
    private static let shift = "0192e4a1-7b3c-7def-8123-456789abcdef"

    /// Changes that the rules of a shift refuse, each with the reason.
    private static let changes: [(RefusalReason, ShiftOperation.Change)] = [
        (.textMissing, .note(NoteTask(list: "pre", task: "floor"))),
        (.textLength, note(String(repeating: "x", count: 1_001))),
        (.textMarks, note("e" + String(repeating: "\u{301}", count: 200))),
        (.textControl, note("a\u{7}b")),
        (.taskMissing, .note(NoteTask(list: "pre", task: "roof", text: "wet"))),
        (.taskParent, mark("pre", "fryers", .ok)),
        (.taskFinding, mark("before", "chairs", .notOk)),
        (.answerMissing, mark("pre", "fridge", .ok)),
        (.answerWrong, mark("pre", "floor", .ok, Answer(value: .number(1_000)))),
        (.answerFinding, mark("pre", "fridge", .ok, Answer(value: .number(9_000)))),
        (.listMissing, .letCrew(LetCrew(list: "after", may: 1))),
        (.todoMissing, .markTodo(MarkTodo(todo: "0192", mark: .done))),
        (.todoUnchanged, .changeTodo(ChangeTodo(todo: "pre/floor"))),
        (.todoArea, .addTodo(AddTodo(title: "Soap", area: "moon", priority: "immediate"))),
        (.todoPriority, .addTodo(AddTodo(title: "Soap", area: "kitchen", priority: "never"))),
        (.pathMissing, .logTravelPath(LogTravelPath(begun: [UInt8](repeating: 1, count: 16)))),
        (.figureWrong, .figure(EnterFigure(hour: 24, kind: .salesActual))),
        (.photoTogether, todo((1...6).map { photo($0) })),
        (.photoTwice, todo([photo(1), photo(1)])),
        (.photoWrong, todo([Photo(checksum: [1])])),
        (.operationUnknown, .ended(ShiftDone())),
    ]

    /// What checklist-service also refuses, because it knows the sender and what came before.
    private static let ofService = [
        Refusal.forbidden("this needs the role").because(.roleLacking, of: "shiftManager"),
        Refusal.forbidden("crew members only tick").because(.crewTick),
        Refusal.forbidden("the list is for the shift manager").because(.crewBarred),
        Refusal.notFound("there is no account").because(.accountMissing, of: "cleo"),
        Refusal.conflict("the photo did not come with it").because(.photoLost),
        Refusal.conflict("send operation 3").because(.shiftGap, of: "phone", ["wanted": "3"]),
        Refusal.conflict("another operation has this id").because(.idTaken),
        Refusal.invalid("the clock is not in 1970 to 9999").because(.deviceClock),
    ]

    private static func note(_ text: String) -> ShiftOperation.Change {
        .note(NoteTask(list: "pre", task: "floor", text: text))
    }

    private static func mark(
        _ list: String, _ task: String, _ finding: Finding, _ answer: Answer? = nil
    ) -> ShiftOperation.Change {
        .mark(MarkTask(list: list, task: task, finding: finding, answer: answer))
    }

    private static func photo(_ number: Int) -> Photo {
        Photo(
            checksum: [UInt8](repeating: UInt8(number), count: 32), size: 9, width: 4, height: 3)
    }

    private static func todo(_ photos: [Photo]) -> ShiftOperation.Change {
        .addTodo(
            AddTodo(title: "Soap", area: "kitchen", priority: "immediate", photos: photos))
    }

    private static func state() throws -> ShiftState {
        func task(_ id: String, of parent: String = "", _ rule: AnswerRule? = nil) -> ChecklistTask
        {
            ChecklistTask(
                id: id, parent: parent, title: id, area: "kitchen", priority: "immediate",
                answer: rule)
        }
        func list(_ id: String, _ kind: ListKind, _ tasks: [ChecklistTask]) -> ChecklistTemplate {
            ChecklistTemplate(
                id: id, name: id, kind: kind,
                sections: [ChecklistSection(id: "all", name: "All", tasks: tasks)])
        }
        let pre = list(
            "pre", .preShift,
            [
                task("floor"), task("fryers"), task("oil", of: "fryers"),
                task("fridge", AnswerRule(kind: .number, unit: "°C", most: 4_000)),
            ])
        let before = list("before", .before, [task("chairs")])
        let begun = Shift(
            id: Self.shift, site: "s", dayPart: 1, timeZone: "Europe/Berlin", started: started,
            settings: SiteSettings.standard(for: "s").packed(), areas: ["kitchen"])
        return try ShiftState(shift: begun, lists: [pre, before])
    }

    /// The refusal of a change by the rules of a shift; nil if they accept it.
    private static func refusal(of change: ShiftOperation.Change) throws -> Refusal? {
        let operation = ShiftOperation(
            id: [UInt8](repeating: 7, count: 16), shift: shift, device: "phone", deviceSequence: 1,
            deviceTime: started, change: change)
        let begun = try state()
        do throws(Refusal) { try begun.validate(operation) } catch { return error }
        return nil
    }

    /// Every refusal of an operation, as it arrives.
    private static func refusals() throws -> [Refusal] {
        let ofRules = try changes.compactMap { try refusal(of: $0.1) }
        return try (ofRules + ofService).map {
            try OperationOutcome(unpacking: OperationOutcome(id: [1], $0).packed()).whyRefused
        }
    }

    @Test func `a refusal that is too long for an outcome is cut, and can be read`() throws {
        let long = String(repeating: "å", count: 20_000)
        var refusal = Refusal.invalid(long)
        (refusal.subject, refusal.arguments) = (long, ["what": long])

        let outcome = OperationOutcome(id: [1], refusal)

        let why = try OperationOutcome(unpacking: outcome.packed()).whyRefused
        #expect(why == refusal.cut)
        #expect(why.message.utf8.count == Refusal.longestMessage)
        #expect(why.code == .invalid)
    }

    @Test func `the rules of a shift give each refusal its reason`() throws {
        for (reason, change) in Self.changes {
            #expect(try Self.refusal(of: change)?.reason == reason.rawValue, "\(reason)")
        }
    }

    @Test(arguments: [Language.norwegian, .swedish])
    func `each refusal of an operation is in the language of the page and of the screen`(
        language: Language
    ) throws {
        let (page, screen) = (Words<WebPhrase>(language), Words<ScreenPhrase>(language))
        for refusal in try Self.refusals() {
            #expect(page.knows(refusal), "\(refusal)")
            for text in [page.text(of: refusal), screen.text(of: refusal)] {
                #expect(text != refusal.message && !text.contains("{"), "\(refusal)")
                #expect(text != Words<WebPhrase>(.english).text(of: refusal), "\(refusal)")
                #expect(!text.contains(refusal.reason), "\(text)")
                #expect(!text.contains("shiftManager"), "\(text)")
            }
        }
        let length = try #require(try Self.refusals().first { $0.isBecause(.textLength) })
        #expect(page.text(of: length).contains("1000"))
    }

    @Test func `in JSON a refused operation has the reason in words and for programs`() throws {
        let operation = ShiftOperation(
            change: .letCrew(LetCrew(list: "pre", may: UInt32(CrewMay.inspect.rawValue))))
        let refusal = Refusal.notFound("there is no account “cleo”")
            .because(.accountMissing, of: "cleo", ["list": "pre"])

        let data = try JSONEncoder().encode(RefusedList.Report(operation, refusal))

        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(report["reason"] as? String == "there is no account “cleo”")
        #expect(report["code"] as? String == "notFound")
        #expect(report["reasonCode"] as? String == RefusalReason.accountMissing.rawValue)
        #expect(report["subject"] as? String == "cleo")
        #expect(report["arguments"] as? [String: String] == ["list": "pre"])
        let change = (report["operation"] as? [String: Any])?["change"] as? [String: Any]
        #expect((change?["letCrew"] as? [String: Any])?["may"] as? String == "inspect")
    }

    @Test func `a screen mentions no pages, and is as precise as the service in English`() throws {
        let unknown = Refusal.invalid("a new kind of mark").because(.operationUnknown)
        #expect(
            Words<ScreenPhrase>(.norwegian).notTakenIn(unknown)
                == "ikke tatt imot: Det som ble sendt, er fra en annen versjon av Steward. "
                + "Start gjennomgangen på nytt.")
        #expect(
            Words<ScreenPhrase>(.english).notTakenIn(unknown)
                == "not taken in: a new kind of mark")
    }

    @Test func `every reason in the rules for operations is in these tables`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Services/checklist-service").standardized
        // The service refuses whole commands for these reasons, or corrects what they are about.
        var known: Set<String> = [
            "operationLimit", "deviceLimit", "deviceTaken", "logBehind",
        ]
        known.formUnion(try Self.refusals().compactMap(\.known).map { "\($0)" })
        for name in [
            "ShiftLog/OperationCheck.swift", "ShiftLog/Todos/TodoRules.swift",
            "ShiftLog/Answers/AnswerRules.swift", "ShiftLog/Answers/CrewRights.swift",
            "ShiftLog/Answers/PhotoRules.swift", "Shifts/Doers.swift", "Shifts/Recording.swift",
        ] {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let named = Set(text.matches(of: /\.because\(\s*\.(\w+)/).map { String($0.1) })
            #expect(!named.isEmpty && named.subtracting(known) == [], "\(name)")
        }
    }
}

extension Refusal {
    /// The reason of the refusal, if this version knows it.
    fileprivate var known: RefusalReason? { RefusalReason(rawValue: reason) }
}
