import Foundation
import Testing

/// What protoc-gen-steward refuses, and how it reports where and why.
@Suite struct GeneratorTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let proto: String
        let complaint: String
        var testDescription: String { what }
    }

    static let refused: [Refused] = [
        Refused(
            what: "proto2",
            proto: #"syntax = "proto2"; package a;"#,
            complaint: "a.proto: only proto3 is supported"),
        Refused(
            what: "a file without a package",
            proto: #"syntax = "proto3";"#,
            complaint: "a.proto: it has no package, which begins every topic"),
        Refused(
            what: "a message without a comment",
            proto: "message Plan {}",
            complaint: "a.Plan: a comment is missing; say above it what it is"),
        Refused(
            what: "a field without a comment",
            proto: "/* A plan. */ message Plan { int32 title = 1; }",
            complaint: "a.Plan.title: a comment is missing; say above it what it is"),
        Refused(
            what: "an enum's value without a comment",
            proto: "/* A kind. */ enum Kind { KIND_NONE = 0; }",
            complaint: "a.Kind.KIND_NONE: a comment is missing; say above it what it is"),
        Refused(
            what: "the field name base",
            proto: "/* A plan. */ message Plan { int32 base = 1; }",
            complaint: "a.Plan.base: protobuf-c reserves the field name base; choose another"),
        Refused(
            what: "a field name that every Swift type has",
            proto: "/* A plan. */ message Plan { int32 hash_value = 1; }",
            complaint: "a.Plan.hash_value: the name hashValue is reserved in Swift; choose"),
        Refused(
            what: "a type that hides one of Swift's",
            proto: "message Plan { message Result {} }",
            complaint: "a.Plan.Result: a type named Result would hide another one"),
        Refused(
            what: "a type in snake case",
            proto: "message my_plan {}",
            complaint: "a.my_plan: names of types are in UpperCamelCase"),
        Refused(
            what: "recursion",
            proto: """
                message Plan { repeated Step steps = 1; }
                message Step { map<string, Plan> p = 1; }
                """,
            complaint: "a.Plan: a message must not contain itself "
                + "(a.Plan -> a.Step -> a.Step.PEntry -> a.Plan)"),
        Refused(
            what: "an enum's value without its prefix",
            proto: "/* A kind. */ enum Kind { NONE = 0; }",
            complaint: "a.Kind.NONE: values of this enum begin with KIND_ and a letter"),
        Refused(
            what: "a text without a limit",
            proto: "/* A plan. */ message Plan { /* Its title. */ string title = 1; }",
            complaint: "a.Plan.title: a limit is missing; say behind it, // at most 200 bytes"),
        Refused(
            what: "bytes without a limit",
            proto: "/* A plan. */ message Plan { /* It. */ optional bytes body = 1; }",
            complaint: "a.Plan.body: a limit is missing; say behind it, // at most 200 bytes"),
        Refused(
            what: "a list without a limit",
            proto: "/* A plan. */ message Plan { /* Its steps. */ repeated int32 steps = 1; }",
            complaint: "a.Plan.steps: a limit is missing; say behind it, // at most 20 items"),
        Refused(
            what: "a list of texts without a limit for each",
            proto: """
                /* A plan. */ message Plan {
                  /* Its steps. */
                  repeated string steps = 1;  // at most 5 items
                }
                """,
            complaint: "a.Plan.steps: a limit is missing; say behind it, // at most 200 bytes"),
        Refused(
            what: "a map without a limit",
            proto: "/* A plan. */ message Plan { /* Steps. */ map<int32, int32> steps = 1; }",
            complaint: "a.Plan.steps: a limit is missing; say behind it, // at most 20 items"),
        Refused(
            what: "a floating point number that may be infinite",
            proto: "/* A plan. */ message Plan { /* Its area. */ double area = 1; }",
            complaint: "a.Plan.area: a limit is missing; say behind it, // finite"),
        Refused(
            what: "a limit that no one knows",
            proto: """
                /* A plan. */ message Plan {
                  /* Its title. */
                  string title = 1;  // rather short
                }
                """,
            complaint: "a.Plan.title: “rather short” is no limit; see class Limits in schema.py"),
        Refused(
            what: "a limit that the field can't have",
            proto: """
                /* A plan. */ message Plan {
                  /* Its number. */
                  int32 number = 1;  // at most 5 bytes
                }
                """,
            complaint: "a.Plan.number: it can't have the limit “at most 200 bytes”"),
        Refused(
            what: "a service",
            proto: "message Plan {} service Plans { rpc Make(Plan) returns (Plan); }",
            complaint: "a.proto: services and extensions are not supported"),
    ]

    @Test(arguments: refused)
    func `a file with a mistake is refused with a sentence`(file: Refused) throws {
        let header = #"syntax = "proto3"; package a;"# + "\n"
        let isWhole = file.proto.hasPrefix("syntax")

        let complaint = try generate(["a.proto": isWhole ? file.proto : header + file.proto])

        #expect(complaint.contains(file.complaint), "\(complaint)")
    }

    @Test func `two packages that declare the same type name are refused`() throws {
        let complaint = try generate([
            "a.proto": #"syntax = "proto3"; package a; message Plan {}"#,
            "b.proto": #"syntax = "proto3"; package b; message Plan {}"#,
        ])

        #expect(
            complaint.contains(
                "b.proto: b.Plan and a.Plan (a.proto) would both be Plan in Swift; rename one"))
    }

    private func generate(_ protos: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in protos {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let plugin = fixtures.appending(path: "../../../Shared/Proto/protoc-gen-steward")
        let arguments = [
            "protoc", "--plugin=protoc-gen-steward=\(plugin.standardizedFileURL.path())",
            "--steward_out=cmodule=C,c=c,swift=s,tests=t:.",
        ]
        let env = URL(filePath: "/usr/bin/env")
        let result = try run(env, arguments + protos.keys.sorted(), in: folder)
        #expect(result.status == 1, "Is protoc there? apt-get install protobuf-compiler")
        return result.output
    }

    /// Runs a program to its end, and returns its output and errors together.
    private func run(
        _ program: URL, _ arguments: [String], in folder: URL
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
