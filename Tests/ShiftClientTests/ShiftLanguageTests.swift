import Bus
import Messages
import Phrases
import ShiftLog
import Speech
import Testing

@testable import ShiftClient

/// What screens report about a shift whose devices were apart, in their language.
struct ShiftLanguageTests {
    private static let started: Int64 = 1_795_248_000_000  // 2026-11-21, 09:00 in Berlin

    /// A shift in which Ann and Bob, without knowing of each other, marked a task, did and deleted
    /// a to-do, and entered the same figure.
    private static func apart() throws -> ShiftState {
        var state = try ShiftScreenTests.state()
        let todo = [UInt8](repeating: 7, count: 16)
        let id = try #require(MessageID(bytes: todo)).description
        let mark = { (finding: Finding) in
            ShiftOperation.Change.mark(MarkTask(list: "list", task: "lid", finding: finding))
        }
        let sales = { (value: Int64) in
            ShiftOperation.Change.figure(EnterFigure(hour: 11, kind: .salesActual, value: value))
        }
        let changes: [(String, ShiftOperation.Change)] = [
            ("Ann", .addTodo(AddTodo(title: "Ice", area: "kitchen", priority: "immediate"))),
            ("Ann", mark(.notOk)), ("Bob", mark(.ok)),
            ("Ann", .markTodo(MarkTodo(todo: id, mark: .done))),
            ("Bob", .markTodo(MarkTodo(todo: id, mark: .removed))),
            ("Ann", sales(10_050)), ("Bob", sales(20_000)),
        ]
        for (index, (device, change)) in changes.enumerated() {
            let place = UInt64(index + 1)
            var operation = ShiftOperation(
                id: index == 0 ? todo : [UInt8](repeating: UInt8(100 + index), count: 16),
                device: device, deviceSequence: place, deviceTime: started + Int64(index),
                seen: index == 0 ? 0 : 1, sequence: place, time: started + Int64(index),
                change: change)
            operation.actorName = device
            state.apply(operation)
        }
        return state
    }

    @Test func `contradictions are in the language of the screen`() throws {
        let state = try Self.apart()
        #expect(
            ShiftFindings(state, in: .norwegian).contradictions(of: "Ann", after: 0) == [
                "noen andre hadde krysset av «Title of lid» annerledes (ok, Bob kl. 09:00); "
                    + "oppgaven regnes som ikke ok hvis én av dere sa det, til den er sjekket på "
                    + "nytt",
                "motstridende: gjøremålet «Ice», gjort av Ann kl. 09:00, slettet av Bob kl. "
                    + "09:00; kryss av, åpne eller slett det på nytt",
                "motstridende: faktisk salg kl. 11:00, 100,50 av Ann kl. 09:00, 200,00 av Bob "
                    + "kl. 09:00; det siste gjelder; oppgi det riktige",
            ])
        let swedish = ShiftFindings(state, in: .swedish).contradictions(of: "Bob", after: 0)
        #expect(swedish.first?.contains("”Title of lid” annorlunda (ej ok, Ann kl. 09:00)") == true)
        #expect(
            ShiftFindings(state).contradictions(of: "Ann", after: 4).first
                == "contradictory: to-do “Ice”, done by Ann at 09:00, deleted by Bob at 09:00; "
                + "tick, open or delete it again")
    }

    @Test func `what came after the end is in the language of the screen`() throws {
        let note = NoteTask(list: "list", task: "lid", text: "wet")
        let late = [ShiftOperation(change: .note(note))]
        let state = try ShiftScreenTests.state()
        #expect(
            ShiftFindings(state, in: .norwegian).late(late) == [
                "skiftet var avsluttet før dette kom, så det står i arkivet som for sent: Title "
                    + "of lid: notat «wet»"
            ])
        #expect(
            ShiftFindings(state).late(late) == [
                "the shift had ended before this came, so it is in its archive as late: Title of "
                    + "lid: note “wet”"
            ])
    }

    @Test func `why a screen goes on without the service is in its language`() throws {
        var ids = MessageID.Generator()
        let barred = Refusal.forbidden("the list is for the shift manager").because(.crewBarred)
        let errors: [(any Error, String)] = [
            (ClientError.notRunning(.checklist), "checklist-service kjører ikke"),
            (
                ClientError.noAnswer(.checklist, ids.next(at: Self.started)),
                "ingen kontakt med checklist-service"
            ),
            (ClientError.noHandshake(.checklist), "ingen kontakt med checklist-service"),
            (
                ClientError.refused(barred),
                "Denne listen er for skiftlederen, som kan la mannskapet være med."
            ),
            (Failure(.refused, "your session is over"), "du er logget ut"),
            (Failure(.notRunning, "nothing answers"), "ingen kontakt med tjenesten"),
        ]
        for (error, text) in errors {
            let failure = try #require(Failure(error))
            let obstacle = Obstacle(error, failure)
            #expect(obstacle.text(in: .norwegian) == text)
            #expect(obstacle.text(in: .english) == failure.sentence)
        }
    }
}
