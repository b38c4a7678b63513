import Foundation
import Testing

@testable import Messages

@Suite struct `A field` {
    @Test func `keeps the sign of zero`() throws {
        let singles = try Singles(unpacking: Singles(aDouble: -0.0, aFloat: -0.0).packed())
        let maps = try Maps(unpacking: Maps(reals: ["x": -0.0]).packed())

        #expect(singles.aDouble.sign == .minus)
        #expect(singles.aFloat.sign == .minus)
        #expect(maps.reals["x"]?.sign == .minus)
        #expect(Singles(aDouble: 0.0).packed() == [])
    }

    @Test func `keeps a NaN's bits`() throws {
        let nan = Double(nan: 42, signaling: false)

        let singles = try Singles(unpacking: Singles(aDouble: nan).packed())

        #expect(singles.aDouble.bitPattern == nan.bitPattern)
    }

    @Test func `keeps NUL in a string`() throws {
        let singles = Singles(aString: "a\0b\0")

        #expect(try Singles(unpacking: singles.packed()) == singles)
    }

    @Test func `that is optional distinguishes empty from absent`() throws {
        let empty = Optionals(
            number: 0, text: "", blob: [], flag: false, real: 0, color: .unspecified, point: Point()
        )

        #expect(try Optionals(unpacking: empty.packed()) == empty)
        #expect(try Optionals(unpacking: []).text == nil)
        #expect(Optionals().packed() == [])
    }

    @Test(
        arguments: [
            .aDouble(0), .number(0), .flag(false), .text(""), .blob([]), .color(.unspecified),
            .inner(Choice.Inner()), .point(Point()), nil,
        ] as [Choice.Value?])
    func `of a choice is kept even if it is empty`(value: Choice.Value?) throws {
        let choice = Choice(value: value, second: .right(""))

        #expect(try Choice(unpacking: choice.packed()) == choice)
    }

    @Test func `that comes twice has its last value`() throws {
        let twice = Choice(value: .number(1)).packed() + Choice(value: .text("b")).packed()

        #expect(try Choice(unpacking: twice) == Choice(value: .text("b")))
        #expect(try Heartbeat(unpacking: [0x0a, 1, 0x61, 0x0a, 1, 0x62]).version == "b")
    }

    @Test func `with a number of an unknown case keeps it`() throws {
        let refusal = Refusal(code: .unrecognized(4_711), message: "new")

        #expect(try Refusal(unpacking: refusal.packed()) == refusal)
        #expect(Refusal.Code(rawValue: 2) == .notFound)
        #expect(Color(rawValue: -5) == .deepBlue)
    }

    @Test func `of numbers is read packed and unpacked`() throws {
        let packed: [UInt8] = [0x92, 0x01, 0x03, 1, 2, 3]
        let loose: [UInt8] = [0x90, 0x01, 1, 0x90, 0x01, 2, 0x90, 0x01, 3]

        #expect(try Lists(unpacking: packed) == Lists(loose: [1, 2, 3]))
        #expect(try Lists(unpacking: loose) == Lists(loose: [1, 2, 3]))
        #expect(Lists(loose: [1, 2, 3]).packed() == loose)
    }

    @Test func `of a map that leaves key and value out has their defaults`() throws {
        let empty: [UInt8] = [0x0a, 0x00, 0x12, 0x00, 0x2a, 0x00]

        let maps = try Maps(unpacking: empty)

        #expect(maps == Maps(counts: ["": 0], points: [0: Point()], reals: ["": 0]))
    }
}

@Suite struct `JSON` {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<T: Decodable>(_ text: String) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(text.utf8))
    }

    @Test func `names enum cases and counts unknown ones`() throws {
        #expect(
            try text(Refusal(code: .notFound, message: "no such stop"))
                == #"{"arguments":{},"code":"notFound","message":"no such stop","reason":"","#
                + #""subject":""}"#)
        #expect(
            try text(Refusal(code: .unrecognized(99)))
                == #"{"arguments":{},"code":99,"message":"","reason":"","subject":""}"#)
        #expect(try read(#"{"code": 99}"#) == Refusal(code: .unrecognized(99)))
        #expect(try read(#"{"code": 2}"#) == Refusal(code: .notFound))
        #expect(try read(#"{"code": "conflict"}"#) == Refusal(code: .conflict))
    }

    @Test func `with an unknown name says which there are`() throws {
        let error = #expect(throws: DecodingError.self) {
            let _: Refusal = try read(#"{"code": "nope"}"#)
        }

        #expect("\(try #require(error))".contains("nope is none of unspecified, invalid, notFound"))
    }

    @Test func `has bytes as hexadecimal digits`() throws {
        let optionals = Optionals(blob: [0x01, 0x92, 0xe4, 0xff])

        #expect(try text(optionals) == #"{"blob":"0192e4ff","plain":0}"#)
        #expect(try read(#"{"blob": "0192E4ff"}"#) == optionals)
        for wrong in ["0", "0g", "é"] {
            #expect(throws: DecodingError.self) {
                let _: Optionals = try read(#"{"blob": "\#(wrong)"}"#)
            }
        }
    }

    @Test func `has an object with one member for a choice`() throws {
        let choice = Choice(value: .inner(Choice.Inner(depth: 3, mode: .on)), after: 1)

        #expect(try text(choice) == #"{"after":1,"value":{"inner":{"depth":3,"mode":"on"}}}"#)
        #expect(try read(#"{"after":1,"value":{"inner":{"depth":3,"mode":"on"}}}"#) == choice)
        for wrong in [#"{"left": "a", "right": "b"}"#, "{}", #"{"middle": 1}"#] {
            #expect(throws: DecodingError.self) {
                let _: Choice = try read(#"{"second": \#(wrong)}"#)
            }
        }
    }

    @Test func `has an object for a map`() throws {
        let maps = Maps(points: [-7: Point(x: 1)], blobs: [true: [0xab]])

        let written = try text(maps)

        #expect(written.contains(#""points":{"-7":{"x":1,"y":0}}"#))
        #expect(written.contains(#""blobs":{"true":"ab"}"#))
        #expect(throws: DecodingError.self) {
            let _: Maps = try read(#"{"points": {"seven": {}}}"#)
        }
    }

    @Test func `takes defaults for what is missing or null`() throws {
        #expect(try read("{}") == Envelope())
        #expect(try read(#"{"type": null, "time": 5}"#) == Envelope(time: 5))
        #expect(try read(#"{"future": [1]}"#) == Envelope())
    }

    @Test func `has names for numbers that JSON lacks`() throws {
        let point = Point(x: .infinity, y: -.infinity)

        #expect(try text(point) == #"{"x":"Infinity","y":"-Infinity"}"#)
        #expect(try read(try text(point)) == point)
        let nan: Point = try read(#"{"x":"NaN"}"#)
        #expect(nan.x.isNaN)
    }

    @Test func `keeps 64 bits`() throws {
        let singles = Singles(anInt64: .min, aUint64: .max)

        #expect(try read(try text(singles)) == singles)
    }
}
