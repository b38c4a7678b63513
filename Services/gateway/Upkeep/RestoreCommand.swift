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
        let options = only.map { ["--only", $0] } ?? []
        for (step, isLast) in [("--check-backup", false), ("--restore", true)]
        where !(check && isLast) {
            for service in services {
                let data = configuration.dataDirectory + (apart ? "/\(service.rawValue)" : "")
                try Self.run(
                    "\(folder)/\(service.rawValue)", [step, source] + options, data: data,
                    of: service,
                    hasReplaced: isLast && service != services.first)
            }
        }
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
            "the backup has nothing from \(missing.map(\.rawValue).listed), which "
                + (check ? "would stay as it is" : "stayed as it was"))
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

    /// Only a service's own program may touch its store.
    private static func run(
        _ program: String, _ arguments: [String], data: String, of service: ServiceName,
        hasReplaced: Bool
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Failure(
                .broken, "\(program) is not there", advice: "install the services beside steward")
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        // The service starts in this folder; the current one may be closed to this user.
        process.currentDirectoryURL = URL(filePath: "/")
        setenv("STEWARD_DATA", data, 1)
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure(
                .refused, "\(service.rawValue) can't be put back; its line above says why",
                advice: hasReplaced
                    ? "services before it have already been restored: fix what it says, and run "
                        + "the command again" : "nothing was replaced")
        }
    }
}
