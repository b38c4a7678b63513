import Foundation
import Testing

/// The files for deployment are complete: every service is in every list.
struct DeploymentTests {
    /// The services in the order of their ports.
    private static func names() throws -> [String] {
        try Repository.file("Shared/Bus/ServiceName.swift").text
            .matches(of: /case \w+ = "([a-z-]+)"/).map { String($0.1) }
    }

    /// The block of a service in a compose file.
    private static func block(_ service: String, of file: String) throws -> String {
        let lines = try Repository.file(file).lines
        let start = try #require(
            lines.firstIndex { $0 == "  \(service):" }, "\(file) has no \(service)")
        let end = lines[(start + 1)...].firstIndex { $0.contains(/^ {0,2}\S/) } ?? lines.endIndex
        return lines[start..<end].joined(separator: "\n")
    }

    @Test func `every service is in the image`() throws {
        let dockerfile = try Repository.file("deploy/Dockerfile").text
        let programs = try #require(dockerfile.firstMatch(of: /ARG PROGRAMS="([^"]+)"/)).1
            .split { $0 == "\\" || $0.isWhitespace }.map(String.init)

        #expect(programs.sorted() == (try Self.names() + ["steward"]).sorted())
    }

    @Test func `the image has the versions of Swift packages that are written down`() throws {
        let manifest = try Repository.file("Package.swift").text
        let named = manifest.matches(of: /\.package\(url: "[^"]+\/([^"\/]+)", exact: "[\d.]+"\)/)
            .map { $0.1.lowercased() }
        #expect(named.count == manifest.matches(of: /\.package\(/).count)
        let pinned = try Repository.file("deploy/pins").text
            .matches(of: /([a-z-]+) [\d.]+\n/).map { String($0.1) }
        #expect(try Repository.file("deploy/Dockerfile").text.contains("done <pins\n"))

        // Their own dependencies are known once they have been fetched for this build.
        let fetched = Repository.root.appending(path: "Package.resolved")
        let identities = String(decoding: try Data(contentsOf: fetched), as: UTF8.self)
            .matches(of: /"identity" : "([^"]+)"/).map { String($0.1) }
        #expect(identities.sorted() == (named + pinned).sorted())
    }

    @Test(arguments: ["compose.yaml", "deploy/swarm.yaml"])
    func `every service has its container, its own store and its health check`(file: String) throws
    {
        let text = try Repository.file(file).text
        for name in try Self.names() {
            let block = try Self.block(name, of: file)
            #expect(block.contains("command: [\(name)]"), "\(file): \(name)")
            #expect(block.contains("\(name):/data"), "\(file): \(name)")
            #expect(
                block.contains("test: [CMD, steward-health, \(name)]"),
                "\(file): \(name)")
            let mounts = text.matches(of: /([a-z-]+):\/data/).filter { $0.1 == name }
            #expect(mounts.count == 1, "\(file): only \(name) has its store")
        }
    }

    @Test(arguments: ["steward@.service", "steward-backup.service"])
    func `a program that crashes under systemd leaves no core file`(unit: String) throws {
        // The filter of system calls keeps the program from setting that limit itself.
        #expect(try Repository.file("deploy/systemd/\(unit)").lines.contains("LimitCORE=0"))
    }

    @Test func `every metric that is watched or explained is also printed`() throws {
        let page = try Repository.file("Services/gateway/Upkeep/MetricPage.swift").text
        let printed = Set(page.matches(of: /"(steward_[a-z_]+)"/).map { String($0.1) })
        for file in [
            "deploy/monitoring/alerts.yaml", "deploy/monitoring/dashboard.json",
            "docs/monitoring.md",
        ] {
            let named = try Repository.file(file).text.matches(of: /steward_[a-z_]+/)
            #expect(Set(named.map { String($0.0) }).subtracting(printed) == [], "\(file)")
        }
        let explained = try Repository.file("docs/monitoring.md").text
        #expect(printed.filter { !explained.contains("`\($0)`") } == [])
    }

    @Test(arguments: [
        "compose.yaml", "deploy/swarm.yaml", "deploy/kubernetes/service/program.yaml",
    ])
    func `a health check's timeout is longer than all its attempts`(file: String) throws {
        let text = try Repository.file(file).text
        let script = try Repository.file("deploy/health").text
        let usual = try #require(script.firstMatch(of: /HEALTH_PAUSE:-(\d+)/)).1
        let pause = text.firstMatch(of: /HEALTH_PAUSE(?:: |, value: )"(\d+)"/)?.1 ?? usual
        let most = try #require(script.firstMatch(of: /HEALTH_LOOKS:-(\d+)/)).1
        let looks = text.firstMatch(of: /HEALTH_LOOKS(?:: |, value: )"(\d+)"/)?.1 ?? most
        let look = try #require(script.firstMatch(of: /timeout (\d+) steward/)).1
        // The last timeout is that of a running service.
        let timeout = try #require(text.matches(of: /timeout(?:Seconds)?: (\d+)/).last).1
        let numbers: [Int] = try [looks, pause, look].map { try #require(Int($0)) }
        #expect(try #require(Int(timeout)) >= numbers[0] * (numbers[1] + numbers[2]))
        #expect(try Repository.file("deploy/Dockerfile").text.contains("deploy/health /usr"))
    }

    @Test func `a swarm's health check finds its service before the swarm lists it`() throws {
        for name in try Self.names() {
            let block = try Self.block(name, of: "deploy/swarm.yaml")
            #expect(block.contains("\n    hostname: \(name)\n"))
        }
    }

    @Test func `only the ports for commands, alerts and pages are published`() throws {
        let published = /"\$\{PUBLISH:-127\.0\.0\.1\}:\$\{[A-Z]+_PORT:-(\d+)\}:(\d+)"/
        for (row, name) in try Self.names().enumerated() {
            let ports = try Self.block(name, of: "compose.yaml").matches(of: published)
            let first = 5000 + 3 * row
            let wanted =
                switch name {
                case "notifier": [first, first + 2]
                case "web-service": [first, 8093]
                default: [first]
                }
            #expect(ports.map { Int($0.1) } == wanted)
            #expect(ports.allSatisfy { $0.1 == $0.2 })
        }
        let compose = try Repository.file("compose.yaml").text
        #expect(
            compose.matches(of: published).count
                == compose.matches(of: /(?:- |\[)"\S+:\d+"/).count,
            "a port is published in another way")
    }

    @Test func `each setting that compose.yaml reads is explained, and has its default`() throws {
        func settings(
            _ path: String, _ form: Regex<(Substring, Substring, Substring)>
        ) throws -> [String: String] {
            let found = try Repository.file(path).lines.flatMap { $0.matches(of: form) }
            return Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
        }
        let read = try settings("compose.yaml", /\$\{([A-Z_]+):-([^}]*)\}/)
        let sample = try settings(".env.example", /^#([A-Z_]+)=(.*)$/)
        let guide = try Repository.file("docs/deployment.md").text

        #expect(read.count > 10 && Set(sample.keys) == Set(read.keys))
        for (name, value) in read {
            #expect(guide.contains("`\(name)`"), "\(name)")
            #expect(value.isEmpty || sample[name] == value, "\(name)")
        }
    }

    @Test func `a container has its own secret key and no other`() throws {
        let keys = try Self.block("keys", of: "compose.yaml")
        #expect(keys.contains("command: [steward, keys, init, --apart, /secrets]"))
        for name in try Self.names() + ["steward"] {
            #expect(keys.contains("- \(name)-key:/secrets/\(name)\n"))

            let mounts = try Self.block(name, of: "compose.yaml")
                .matches(of: /- ([a-z-]+)-key:(\S+)/).map { [String($0.1), String($0.2)] }
            let place = "/secrets/\(name)" + (name == "steward" ? "" : ":ro")
            #expect(mounts == [[name, place]])
        }
    }

    @Test func `in compose a service comes back after the engine crashes`() throws {
        // With “unless-stopped”, containers would stay stopped after the engine was killed.
        let compose = try Repository.file("compose.yaml").text
        let service = try #require(
            compose.firstMatch(of: /\nx-service: &service\n(?:(?: .*|#.*)\n)+/)
        ).0
        #expect(service.contains("\n  restart: always\n"))
        for name in try Self.names() {
            #expect(!(try Self.block(name, of: "compose.yaml")).contains("restart:"))
        }
    }

    @Test func `an engine seldom restarts a service that somebody must fix first`() throws {
        let codes = try Repository.file("Shared/ServiceRuntime/Loop/Outage.swift").text
            .matches(of: /static let (\w+): Int32 = (\d+)/)
            .filter { ["configuration", "storage", "badStore"].contains($0.1) }
            .map { String($0.2) }
        let waits = try #require(
            try Repository.file("deploy/run").text.firstMatch(of: /\n([\d |]+)\) sleep/)
        ).1
        #expect(codes.count == 3)
        #expect(Set(waits.matches(of: /\d+/).map { String($0.0) }) == Set(codes))
        for file in ["compose.yaml", "deploy/swarm.yaml"] {
            let text = try Repository.file(file).text
            #expect(text.contains("\n  entrypoint: [steward-run]\n"), "\(file)")
        }
        #expect(try Repository.file("deploy/Dockerfile").text.contains("deploy/run /usr"))
    }

    @Test func `a service that takes too much memory is killed and restarted`() throws {
        // ZeroMQ keeps unfinished messages from strangers, which the service's limits can't reach.
        let compose = try Repository.file("compose.yaml").text
        #expect(compose.contains(/x-program: &program\n(  .*\n)*  mem_limit: \d+m\n/))
        #expect(
            compose.contains(
                /x-service: &service\n  <<: \*program\n(  .*\n)*  restart: always\n/))
        let swarm = try Repository.file("deploy/swarm.yaml").text
        #expect(swarm.contains(/\n    limits: \{cpus: "1\.0", memory: \d+M, pids: \d+\}\n/))
        #expect(swarm.contains("\n  restart_policy: {condition: any, delay: 1s}\n"))
        for name in try Self.names() {
            #expect(try Self.block(name, of: "compose.yaml").contains("<<: *service\n"), "\(name)")
            let block = try Self.block(name, of: "deploy/swarm.yaml")
            #expect(block.contains(/<<: \*deploy\n|deploy: \*deploy\n/), "\(name)")
        }
        let unit = try Repository.file("deploy/systemd/steward@.service").text
        #expect(unit.contains(/\nMemoryMax=\d+G\n/) && unit.contains("\nRestart=always\n"))
        let program = try Repository.file("deploy/kubernetes/service/program.yaml").text
        let containers = program.matches(of: /\n {12}limits: \{memory: \d+Mi\}/).count
        #expect(program.contains("kind: StatefulSet") && containers > 0)
        #expect(containers == program.matches(of: /\n {10}image: \w/).count)
    }

    @Test(arguments: [
        ("compose.yaml", "x-service: &service"), ("deploy/swarm.yaml", "x-program: &program"),
    ])
    func `an engine keeps a bounded log of each service`(file: String, block: String) throws {
        let rest = try Repository.file(file).text.components(separatedBy: "\n\(block)\n")
        let settings = try #require(rest.last?.components(separatedBy: "\n\n").first)

        #expect(rest.count == 2 && settings.contains("\n    driver: json-file\n"))
        #expect(settings.contains(/options: \{max-size: "\d+m", max-file: "\d"\}/))
    }

    @Test func `a restore reaches the store of every service`() throws {
        let block = try Self.block("restore", of: "compose.yaml")
        let job = try Repository.file("deploy/kubernetes/restore/restore.yaml").text
        for name in try Self.names() {
            #expect(block.contains("- \(name):/stores/\(name)"))
            #expect(job.contains("{name: \(name), mountPath: /stores/\(name)}"))
            #expect(job.contains("claimName: data-\(name)-0}"))
        }
    }

    @Test func `every service is on Kubernetes, at its ports and with its own key`() throws {
        let whole = try Repository.file("deploy/kubernetes/kustomization.yaml").text
        for (row, name) in try Self.names().enumerated() {
            let text = try Repository.file("deploy/kubernetes/\(name)/kustomization.yaml").text
            #expect(whole.contains("\n  - \(name)\n"))
            #expect(text.contains("args, value: [\(name)]"), "\(name)")
            #expect(text.contains("secretName, value: \(name)-key}"), "\(name)")
            #expect(
                text.matches(of: /\[steward-health, ([a-z-]+)\]/).map(\.1)
                    == [name, name].map {
                        Substring($0)
                    })
            for (offset, port) in ["commands", "events"].enumerated() {
                let number = 5000 + 3 * row + offset
                #expect(text.contains("{name: \(port), containerPort: \(number)}"), "\(name)")
                #expect(text.contains("{name: \(port), port: \(number)}"), "\(name)")
            }
        }
        #expect(
            try Repository.file("deploy/kubernetes/service/program.yaml").text
                .contains("\n  replicas: 1\n"))
    }

    @Test func `on Kubernetes a service that asks servers elsewhere can reach them`() throws {
        let manifest = try Repository.file("Package.swift").text
        let services = try #require(manifest.components(separatedBy: "\nlet services = [\n").last)
        let list = try #require(services.components(separatedBy: "\n]\n").first)
        let names = list.components(separatedBy: "    service(\n")
            .filter { $0.contains("\"WebClient\"") }
            .compactMap { $0.firstMatch(of: /"([a-z-]+)"/).map { String($0.1) } }
        let policies = try Repository.file("deploy/kubernetes/network.yaml").text
            .components(separatedBy: "\n---\n")

        #expect(names.contains("notifier") && names.contains("project-service"))
        for name in names {
            let own = policies.first { $0.contains("/component: \(name)}") }
            #expect(own?.contains("- {protocol: TCP, port: 443}") == true, "\(name)")
        }
    }

    @Test func `on Kubernetes keys are in a closed directory, not at the root of a volume`() {
        let manifests = Repository.files.filter {
            $0.path.hasPrefix("deploy/kubernetes/") && $0.text.contains("STEWARD_KEYS")
        }
        #expect(manifests.count == 3)
        for manifest in manifests {
            let text = manifest.text
            let directories = text.matches(of: /STEWARD_KEYS, value: ([^}]+)\}/).map(\.1)
            let roots = text.matches(of: /mountPath: ([^,}]+)/).map(\.1)
            #expect(directories.count == 1, "\(manifest.path)")
            for directory in directories {
                #expect(!roots.contains(directory), "\(manifest.path)")
                #expect(text.contains("mkdir -p -m 700 \(directory) && "), "\(manifest.path)")
                #expect(text.contains("/secret/*.secret \(directory)\n"), "\(manifest.path)")
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/kubectl")))
    func `the Kubernetes manifests are consistent`() throws {
        let build = Process()
        build.executableURL = URL(filePath: "/usr/bin/kubectl")
        build.arguments = ["kustomize", Repository.root.appending(path: "deploy/kubernetes").path]
        let output = Pipe()
        build.standardOutput = output
        build.standardError = output
        try build.run()
        let made = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        build.waitUntilExit()

        #expect(build.terminationStatus == 0, "\(made)")
        let sets = made.components(separatedBy: "\n---\n").filter {
            $0.contains("kind: StatefulSet")
        }
        let names = sets.compactMap {
            $0.firstMatch(of: /\n  name: ([a-z-]+)\n/).map { String($0.1) }
        }
        #expect(names.sorted() == (try Self.names() + ["steward"]).sorted())
    }

    @Test func `systemd's target wants every service`() throws {
        let wanted = try Repository.file("deploy/systemd/steward.target").text
            .matches(of: /Wants=steward@([a-z-]+)\.service/).map { String($0.1) }

        #expect(wanted.sorted() == (try Self.names()).sorted())
    }

    @Test func `the guides for operators name each service, and no file that is missing`() throws {
        for path in ["docs/deployment.md", "docs/transport.md"] {
            let text = try Repository.file(path).text
            #expect(try Self.names().filter { !text.contains($0) } == [], "\(path)")
        }
        let guides = Repository.files.filter {
            $0.path.contains(/^(docs\/[a-z-]+|README|CONTRIBUTING)\.md$/)
        }
        let named = guides.flatMap { $0.text.matches(of: /\b(?:deploy|Services)\/[\w.\/@-]*\w/) }
        #expect(named.count > 20)
        let missing = Set(named.map { String($0.0) })
            .filter { name in !Repository.paths.contains { $0.hasPrefix(name) } }
        #expect(missing == [])
    }

    @Test func `the image has the same version as the programs`() throws {
        let version = try #require(
            try Repository.file("Shared/Bus/Version.swift").text
                .firstMatch(of: /stewardVersion = "([^"]+)"/)
        ).1
        #expect(
            try Repository.file("deploy/Dockerfile").text.contains("ARG VERSION=\(version)\n"))
        for file in ["compose.yaml", "deploy/swarm.yaml"] {
            #expect(
                try Repository.file(file).text.contains("image: steward:${TAG:-\(version)}"))
        }
        let guide = try Repository.file("docs/deployment.md").text
        let typed = guide.matches(of: /(?:steward:|TAG=)(\d+\.\d+\.\d+)/).map(\.1)
        #expect(typed.count == 3 && Set(typed) == [version])
        for folder in ["deploy/kubernetes", "deploy/kubernetes/restore"] {
            #expect(
                try Repository.file("\(folder)/kustomization.yaml").text
                    .contains("newTag: \(version)}"))
        }
    }

    @Test func `the nightly backup is confined as the services are`() throws {
        func confinement(_ unit: String) throws -> [String] {
            let lines = try Repository.file("deploy/systemd/\(unit)").lines
            let first = try #require(lines.firstIndex(of: "CapabilityBoundingSet="), "\(unit)")
            return lines[first...].prefix { !$0.hasPrefix("[") }
                .filter { $0.contains(/^\w+=/) }.map { String($0) }
        }
        let wanted = try confinement("steward@.service")
        #expect(wanted.count > 20)
        #expect(try confinement("steward-backup.service") == wanted)
    }

    @Test func `what operators are told to set is a setting of Steward`() throws {
        // A program refuses a variable of this form that it doesn't know.
        let source = try Repository.file("Shared/Bus/Configuration.swift").text
        let known = Set(source.matches(of: /"(STEWARD_[A-Z_]+)"/).map { String($0.1) })
        let told = Repository.files.filter {
            $0.path.contains(/^(?:deploy\/|docs\/[a-z-]+\.md$|compose\.yaml$|README\.md$)/)
        }
        let strangers = told.flatMap { file -> [String] in
            file.search.lines(having: ["STEWARD_"])
                .flatMap { $0.text.matches(of: /STEWARD_[A-Z]+(?:_[A-Z]+)*\b/) }
                .map { String($0.0) }.filter { !known.contains($0) }
                .map { "\(file.path): \($0)" }
        }
        #expect(known.count > 10 && told.count > 20)
        #expect(strangers == [])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `systemd accepts the units and finds little exposed`() throws {
        let check = Process()
        check.executableURL = Repository.root.appending(path: "deploy/systemd/check")
        check.arguments = [
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
        ]
        let output = Pipe()
        check.standardOutput = output
        check.standardError = output
        try check.run()
        let words = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "\(words)")
    }
}
