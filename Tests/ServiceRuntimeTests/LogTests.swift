import Bus
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

/// How text from others appears in the log.
@Suite struct LogTests {
    @Test(arguments: [
        ("\u{202E}gnirts", #""\u{202e}gnirts""#), ("a\u{9B}31mb", #""a\u{9b}31mb""#),
        ("x\u{2066}y\u{2069}", #""x\u{2066}y\u{2069}""#), ("a\u{2028}b", #""a\u{2028}b""#),
        ("\u{85}", #""\u{85}""#), ("\u{FEFF}z", #""\u{feff}z""#), ("\u{61C}", #""\u{61c}""#),
        ("a\nb\u{7}c", #""a\nb c""#), ("Zürich", "\"Zürich\""), ("plain", "plain"),
        (#"a "b" \c"#, #""a \"b\" \\c""#),
    ])
    func `characters that control a terminal or reverse text are written as numbers`(
        value: String, line: String
    ) {
        #expect(Log.quoted(value) == line)
    }

    @Test func `a value has a maximum length in bytes`() {
        let marks = "e" + String(repeating: "\u{301}", count: 100_000)

        #expect(Log.quoted(marks).utf8.count <= Log.longestValue + 2)
        #expect(Log.quoted(String(repeating: "x", count: 5000)).count == Log.longestValue)
    }

    @Test func `a text is cut between two characters of Unicode`() {
        #expect("aé".prefix(bytes: 2) == "a")
        #expect("aé".prefix(bytes: 3) == "aé")
        #expect("🦽b".prefix(bytes: 3) == "")
        #expect("".prefix(bytes: 0) == "")
    }

    @Test func `only the newest refusals to strangers are kept`() {
        var shelf = RefusalShelf()
        var ids = MessageID.Generator()
        let all = (0..<5000).map { _ in ids.next(at: 1) }

        for id in all { shelf.keep([1, 2], to: id, of: "a") }
        let kept = all.filter { shelf.reply(to: $0) != nil }
        #expect(kept == Array(all.suffix(RefusalShelf.most)))

        for id in all.prefix(20) {
            shelf.keep([UInt8](repeating: 0, count: 100_000), to: id, of: "b")
        }
        let large = all.filter { shelf.reply(to: $0)?.envelope.count == 100_000 }
        #expect(large == Array(all.prefix(20).suffix(RefusalShelf.mostBytes / 100_000)))
        #expect(shelf.reply(to: all[19])?.asker == "b")
    }
}

extension Processes {
    /// What strangers can make a service write.
    @Suite(.serialized) struct LogFloods {
        @Test func `messages of an unknown type give few, short lines and a count`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let before = service.err.utf8.count
            let socket = try toys.system.connection().connect(.dealer, to: .transitAlert, .commands)
            let type = String(repeating: "x", count: 200)
            for _ in 0..<2000 {
                let message = Envelope(id: toys.client.makeID().bytes, type: type, source: "test")
                try eventually("there is room") { try socket.send([message.packed()]) }
            }

            try eventually("the rest is reported as a number") {
                service.err.contains("more messages refused")
            }
            _ = try toys.balance()
            #expect(service.err.utf8.count - before < 100_000)
        }
    }
}
