import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the stores with a backup.",
        discussion: """
            No service may be running. The whole backup is verified before the first store is \
            replaced, and the former stores are kept beside the new ones. Everyone then has to log \
            in again, and everything done after the backup is lost. With --only, one organisation \
            alone is put back, so that it can move to an installation of its own.
            """)

    @Argument(help: "A directory that steward backup has made.", completion: .directory)
    var directory: String
    @Option(help: "Restore only this service.")
    var service: ServiceName?
    @Option(
        help: ArgumentHelp(
            "Restore only the organisation with this id, with its people and history.",
            valueName: "organisation"))
    var only: String?
    @Flag(help: "Each service's store is in a directory of its name under STEWARD_DATA.")
    var apart = false
    @Flag(help: "Only verify the backup.")
    var check = false
    @OptionGroup var output: OutputOptions

    func run() throws {
        let printer = Printer()
        let configuration = try Bus.Configuration()
        let folder = try UpCommand.folder()
        let source = URL(filePath: directory).standardizedFileURL.path
        let services = try service.map { [$0] } ?? Self.services(of: source)
        let programs = Programs(
            folder: folder, data: configuration.dataDirectory, isApart: apart,
            arguments: [source] + (only.map { ["--only", $0] } ?? []))
        for service in services { try programs.run("--check-backup", service) }
        if !check { try Self.restore(services, by: programs) }
        if output.json {
            let state = check ? "good" : "put back"
            return try printer.json(
                .services, services.map { ["service": $0.rawValue, "state": state] })
        }
        let names = services.map(\.rawValue).joined(separator: ", ")
        printer.result(check ? "the backup is good: \(names)" : "put back: \(names)")
        let missing = service == nil ? ServiceName.allCases.filter { !services.contains($0) } : []
        guard !missing.isEmpty else { return }
        printer.remark(
            "the backup has nothing from \(missing.map(\.rawValue).listed); nothing "
                + (check ? "would be changed there" : "was changed there"))
    }

    /// The services that a backup has.
    private static func services(of backup: String) throws -> [ServiceName] {
        let manifest = backup + "/manifest.json"
        guard FileManager.default.fileExists(atPath: manifest) else {
            throw Failure(.refused, "there is no backup in \(backup)")
        }
        let bytes = try InputFile.bytes(
            manifest, atMost: 1 << 20, cure: "steward backup writes one of a few lines")
        let backups: [Backup]
        do { backups = try JSONDecoder().decode([Backup].self, from: Data(bytes)) } catch {
            throw Failure(.refused, "\(backup)/manifest.json can't be understood")
        }
        let unknown = backups.first { ServiceName(rawValue: $0.service) == nil }
        if let unknown {
            throw Failure(
                .refused, "this version has no \(unknown.service), of which the backup has a copy",
                advice: "restore it with version \(unknown.version); nothing was replaced")
        }
        return backups.compactMap { ServiceName(rawValue: $0.service) }
    }

    /// Replaces the stores. From before the first is replaced, no service starts until its own has
    /// been, not even if this process is killed: it would delete what others no longer know.
    private static func restore(_ services: [ServiceName], by programs: Programs) throws {
        // With only one store, nothing is in between.
        for service in services where services.count > 1 {
            try programs.run("--announce-restore", service, isAnnounced: true)
        }
        for service in services {
            try programs.run("--restore", service, isAnnounced: services.count > 1)
        }
    }
}

/// The programs of the services: only a service's own may touch its store.
private struct Programs {
    /// Where they are.
    let folder: String
    /// Where the stores are.
    let data: String
    /// Whether each store is in a directory of its service's name.
    let isApart: Bool
    /// What comes after each step.
    let arguments: [String]

    /// Has a service's program carry out a step of a restoration.
    ///
    /// - Parameter isAnnounced: whether services don't start until their stores are replaced.
    func run(_ step: String, _ service: ServiceName, isAnnounced: Bool = false) throws {
        let program = "\(folder)/\(service.rawValue)"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Failure(
                .broken, "\(program) is not there", advice: "install the services beside steward")
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [step] + arguments
        // The service starts in this folder; the current one may be closed to this user.
        process.currentDirectoryURL = URL(filePath: "/")
        setenv("STEWARD_DATA", data + (isApart ? "/\(service.rawValue)" : ""), 1)
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure(
                .refused, "\(service.rawValue) can't be put back; its line above says why",
                advice: isAnnounced
                    ? "fix what it says, and run the command again: until then, no service starts "
                        + "that has not been restored" : "nothing was replaced")
        }
    }
}
