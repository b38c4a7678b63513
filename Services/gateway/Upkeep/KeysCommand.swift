import ArgumentParser
import Bus
import Foundation
import Speech
import Terminal

/// `steward keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manages which programs may use the services over TCP.",
        discussion: """
            Needed only when the services are not all on one machine. Services notice changes \
            within two seconds, without a restart. docs/transport.md explains how to set up two \
            machines.
            """,
        subcommands: [Init.self, Add.self, List.self, Revoke.self], defaultSubcommand: List.self)

    /// `steward keys init`
    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Makes the missing keys of all services and of steward.",
            discussion: """
                With --apart each secret key is in a directory of its own below the given one, and \
                the key directory has a link to it. So each program can get the key directory and \
                its own secret, and can't read another's.
                """)

        @Option(
            help: ArgumentHelp(
                "Keep each secret key in its own directory below this one.",
                valueName: "directory"))
        var apart: String?
        @OptionGroup var options: RingOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let printer = Printer()
            let ring = try options.ring()
            for service in ServiceName.allCases {
                try ring.create(service.rawValue, role: .service)
            }
            try ring.create("steward", role: .gateway)
            if let apart {
                let directory = URL(filePath: apart).standardizedFileURL.path
                for name in ServiceName.allCases.map(\.rawValue) + ["steward"] {
                    try ring.keepApart(name, in: directory)
                }
            }
            if output.json {
                return try printer.json(
                    .keys,
                    ring.entries().map { KeyLine($0, hasSecret: ring.hasSecret($0.name)) })
            }
            printer.remark("the keys are in \(ring.directory); its .secret files stay on this host")
            printer.remark("set these for the services and for steward:")
            printer.result("STEWARD_KEYS=\(ring.directory)")
            printer.result("STEWARD_BUS=tcp://ADDRESS:5000")
            printer.remark("ADDRESS is the IP address of this host that others reach, or 127.0.0.1")
        }
    }

    /// `steward keys add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Makes a key for a program on this host, or admits one on another host.",
            discussion: """
                Without --public-key it makes a pair here, and prints the command for the other \
                hosts. With it, the program's secret never leaves its host, which is best.
                """)

        @Argument(help: "The program's name; that of the command line is steward.")
        var name: String
        @Option(help: "service, gateway (commands and sees everything) or display (sees alerts).")
        var role: KeyRing.Role
        @Option(
            help: ArgumentHelp(
                "The key that the other host has shown, in single quotes.", valueName: "key"))
        var publicKey: String?
        @OptionGroup var options: RingOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard publicKey.map(KeyRing.isKey) ?? true else {
                throw ValidationError(
                    "--public-key is not a CURVE key of 40 characters; copy it from what steward "
                        + "keys add or steward keys list has shown, in single quotes")
            }
        }

        func run() throws {
            let printer = Printer()
            let ring = try options.ring()
            if let publicKey {
                let entry = try ring.register(name, role: role, publicKey: publicKey)
                if output.json {
                    return try printer.json(.keys, [KeyLine(entry, hasSecret: false)])
                }
                return printer.remark("\(entry.name) is admitted as a \(role.rawValue)")
            }
            let entry = try ring.create(name, role: role)
            if output.json {
                return try printer.json(.keys, [KeyLine(entry, hasSecret: true)])
            }
            printer.remark("on every other host that \(name) talks to, run this command:")
            printer.result(
                "steward keys add \(name) --role \(role.rawValue) "
                    + "--public-key='\(entry.publicKey)'")
        }
    }

    /// `steward keys list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the keys in the key directory. Public keys aren't secret.")

        @OptionGroup var options: RingOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let printer = Printer()
            let ring = try options.ring()
            // A bus on this machine alone needs no keys, so a missing ring is not an error.
            let isThere = FileManager.default.fileExists(atPath: ring.directory)
            let entries = isThere || options.directory != nil ? try ring.entries() : []
            let lines = entries.map { KeyLine($0, hasSecret: ring.hasSecret($0.name)) }
            guard !output.json else { return try printer.json(.keys, lines) }
            guard !lines.isEmpty else {
                return printer.remark("there are no keys here; make them: steward keys init")
            }
            var table = TextTable([
                .text("NAME"), .text("ROLE"), .text("STATE"), .text("SECRET"), .id("PUBLIC KEY"),
            ])
            for line in lines {
                table.add([
                    .init(line.name), .init(line.role),
                    .init(line.isRevoked ? "revoked" : "admitted", line.isRevoked ? .red : nil),
                    .init(line.hasSecret ? "on this host" : "elsewhere"), .init(line.publicKey),
                ])
            }
            printer.table(table)
        }
    }

    /// `steward keys revoke`
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revokes a key and disconnects its program.",
            discussion: """
                Run the command on every host whose services the program may reach. The services \
                notice within two seconds and close every connection; all other programs reconnect \
                at once.
                """)

        @Argument(help: "The program's name, as listed.")
        var name: String
        @OptionGroup var options: RingOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let printer = Printer()
            let ring = try options.ring()
            guard ring.hasEntry(name) else {
                throw Failure(
                    .refused, "there is no key of “\(name)” in \(ring.directory)",
                    advice: "see which there are: steward keys list")
            }
            let entry = try ring.revoke(name)
            if output.json {
                return try printer.json(
                    .keys, [KeyLine(entry, hasSecret: ring.hasSecret(entry.name))])
            }
            printer.remark(
                "\(entry.name) is no longer admitted by the services that use this key directory")
            let isService = ServiceName(rawValue: name) != nil
            guard isService || name == "steward" else { return }
            // In a container, `keys add` would put the secret where every program can read it.
            let compose = "docker compose up --detach"
            printer.remark(
                "to go on, \(name) needs a new key; with Docker Compose: "
                    + (isService ? "docker compose stop \(name), then \(compose)" : compose))
            printer.remark(
                "elsewhere: steward keys add \(name) --role \(entry.role.rawValue)"
                    + (isService ? ", then restart it" : ""))
        }
    }
}

/// Which key ring a command is about.
struct RingOptions: ParsableArguments {
    @Option(help: "The key directory, instead of STEWARD_KEYS or keys in the data directory.")
    var directory: String?

    /// The ring.
    func ring() throws -> KeyRing {
        guard let directory else {
            return KeyRing(directory: try Bus.Configuration.keysDirectory())
        }
        return KeyRing(directory: URL(filePath: directory).standardizedFileURL.path)
    }
}

/// One line of the list, printed as text or JSON.
struct KeyLine: Encodable {
    let name: String
    let role: String
    let publicKey: String
    let hasSecret: Bool
    let isRevoked: Bool

    /// The line of an entry.
    init(_ entry: KeyRing.Entry, hasSecret: Bool) {
        name = entry.name
        role = entry.role.rawValue
        publicKey = entry.publicKey
        isRevoked = entry.isRevoked
        self.hasSecret = hasSecret
    }
}

extension KeyRing.Role: ExpressibleByArgument {}
