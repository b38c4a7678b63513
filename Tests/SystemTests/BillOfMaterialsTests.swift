import Foundation
import TestSupport
import Testing

/// The bill of materials that an image has, made on this machine in the same way.
@Suite struct BillOfMaterialsTests {
    private struct Bill: Decodable {
        struct Part: Decodable {
            struct Reference: Decodable {
                let referenceLocator: String
            }

            let SPDXID: String
            let name: String
            let versionInfo: String
            let externalRefs: [Reference]?
        }

        struct Relation: Decodable {
            let spdxElementId: String
            let relationshipType: String
            let relatedSpdxElement: String
        }

        let spdxVersion: String
        let packages: [Part]
        let relationships: [Relation]
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable {
                let version: String
            }

            let identity: String
            let state: State
        }

        let pins: [Pin]
    }

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private let system: System

    init() throws { system = try System() }

    private func run(_ words: String...) throws -> (end: Program.End, out: String, err: String) {
        let program = try system.spawn(words, environment: ["PATH": "/usr/bin:/bin"])
        return (try program.waitForEnd(), program.out, program.err)
    }

    private func bill(of resolved: String) throws -> (end: Program.End, out: String, err: String) {
        try run("/bin/sh", Self.root + "/deploy/sbom", "0.1.0", resolved, "6.3.1")
    }

    @Test func `it names each package of Debian and of Swift in its version, once`() throws {
        let resolved = Self.root + "/Package.resolved"
        let said = try bill(of: resolved)
        #expect(said.end == .exited(0), "\(said.err)")
        let bill = try JSONDecoder().decode(Bill.self, from: Data(said.out.utf8))
        #expect(bill.spdxVersion == "SPDX-2.3")
        #expect(Set(bill.packages.map(\.SPDXID)).count == bill.packages.count)

        let named = Set(bill.packages.map { "\($0.name) \($0.versionInfo)" })
        let installed = try run(
            "/usr/bin/dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Package} ${Version}\n")
        let debian = installed.out.split(separator: "\n").filter { $0.hasPrefix("ii ") }
            .map { String($0.dropFirst(3)) }
        #expect(debian.count > 100 && named.isSuperset(of: debian))
        let pins = try JSONDecoder().decode(
            Resolved.self, from: Data(contentsOf: URL(filePath: resolved))
        ).pins
        #expect(!pins.isEmpty)
        #expect(named.isSuperset(of: pins.map { "\($0.identity) \($0.state.version)" }))
        #expect(named.contains("swift 6.3.1"))

        let parts = Set(
            bill.relationships.filter { $0.relationshipType == "CONTAINS" }
                .map(\.relatedSpdxElement))
        #expect(parts.count == bill.packages.count - 1)
        let places = bill.packages.flatMap { $0.externalRefs ?? [] }.map(\.referenceLocator)
        #expect(places.allSatisfy { $0.hasPrefix("pkg:") && !$0.contains("+") })
    }

    @Test func `a package of Swift without a version is an error, not left out`() throws {
        let resolved = """
            {
              "pins" : [
                {
                  "identity" : "yams",
                  "location" : "https://github.com/jpsim/Yams",
                  "state" : {
                    "branch" : "main",
                    "revision" : "1"
                  }
                }
              ]
            }
            """
        try resolved.write(
            toFile: system.path("Package.resolved"), atomically: true, encoding: .utf8)
        let said = try bill(of: system.path("Package.resolved"))
        #expect(said.end == .exited(1) && said.out.isEmpty)
        #expect(said.err.contains("1 packages, of which 0 have a version"))
    }
}
