import ArgumentParser
import Bus
import Foundation
import Speech
import Terminal

/// `steward up`
struct UpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Runs every service until ctrl-C.",
        discussion: """
            Starts the services in the folder of this program, shows their logs on standard error, \
            and restarts those that end. Prints “all services are ready” when they are. The \
            services end with it, even if it is killed.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        Printer.outlivesReaders = true
        let folder = try Self.folder()
        var paths: [(ServiceName, String)] = []
        for service in ServiceName.allCases {
            let path = folder + "/" + service.rawValue
            if FileManager.default.isExecutableFile(atPath: path) {
                paths.append((service, path))
            } else {
                session.printer.remark(
                    "steward: \(service.rawValue) is left out: it is not in \(folder)")
            }
        }
        guard !paths.isEmpty else {
            throw Failure(
                .broken, "there are no services in \(folder)",
                advice: "install the services beside steward")
        }
        // Readiness is a line of the log at level info; less severe lines are filtered when shown.
        if LogLine.severity(of: session.configuration.logLevel) ?? 0 > 2 {
            setenv("STEWARD_LOG", "info", 1)
        }
        Interruption.watch()
        let supervisor = Supervisor(
            paths, printer: session.printer, logLevel: session.configuration.logLevel,
            isJSON: output.json)
        try supervisor.run()
    }

    /// The folder of this program's file.
    static func folder() throws -> String {
        guard let path = Bundle.main.executablePath else {
            throw Failure(.broken, "the location of this program's file is not known")
        }
        return URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
    }
}
