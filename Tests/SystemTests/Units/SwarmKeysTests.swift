import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests how a swarm gets its keys, with a docker that keeps configs and secrets as files.
@Suite(.waiting) struct SwarmKeysTests {
    private static let docker = """
        #!/bin/sh
        mkdir -p "$SWARM/$1"
        cd "$SWARM/$1"
        for last; do :; done
        case $2 in
        inspect)
            [ -f "$last" ] || exit 1
            case $* in
            *Spec.Data*) printf '"%s"\\n' "$(base64 -w 0 "$last")" ;;
            *Labels*) [ ! -f "$last.label" ] || cat "$last.label" ;;
            esac
            ;;
        create)
            if [ "$3" = --label ]; then echo "${4#public=}" >"$5.label"; shift 2; fi
            cp "$4" "$3"
            ;;
        esac
        """
    private static let script =
        URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/deploy/swarm-keys"

    private let system: System
    private let ring: KeyRing

    init() throws {
        system = try System()
        ring = try system.makeKeys(["steward": .gateway])
        try system.makeFolder("bin")
        let path = system.path("bin/docker")
        try Data(Self.docker.utf8).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    private func give() throws -> (end: Program.End, err: String) {
        let search = "\(system.path("bin")):/usr/bin:/bin"
        let program = try system.spawn(
            ["/bin/sh", Self.script, ring.directory],
            environment: system.environment(adding: [
                "PATH": search, "SWARM": system.path("swarm"),
            ]))
        return (try program.waitForEnd(), program.err)
    }

    /// What the swarm has of a kind.
    private func kept(_ kind: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: system.path("swarm/\(kind)"))
        return Set(names.filter { !$0.hasSuffix(".label") })
    }

    @Test func `a swarm gets all public keys, and all secret keys but that of steward`() throws {
        for _ in 1...2 {
            let given = try give()
            #expect(given.end == .exited(0), "\(given.err)")
        }

        let services = ServiceName.allCases.map(\.rawValue)
        #expect(try kept("config") == Set((services + ["steward"]).map { $0 + ".public" }))
        #expect(try kept("secret") == Set(services.map { $0 + ".secret" }))
    }

    @Test func `keys that were revoked or replaced are named until the swarm has the new ones`()
        throws
    {
        _ = try give()

        try ring.revoke("notifier")
        let revoked = try give()
        #expect(revoked.end == .exited(1))
        #expect(revoked.err.contains("docker config rm notifier.public\n"), "\(revoked.err)")

        try ring.create("notifier", role: .service)
        let replaced = try give()
        #expect(replaced.end == .exited(1))
        #expect(replaced.err.contains("docker config rm notifier.public\n"), "\(replaced.err)")
        #expect(replaced.err.contains("docker secret rm notifier.secret\n"), "\(replaced.err)")

        try FileManager.default.removeItem(atPath: system.path("swarm/config/notifier.public"))
        #expect(try give().end == .exited(1))
        try FileManager.default.removeItem(atPath: system.path("swarm/secret/notifier.secret"))
        #expect(try give().end == .exited(0))
        #expect(try give().end == .exited(0))
    }
}
