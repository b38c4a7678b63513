import ArgumentParser
import Bus
import Foundation
import Speech
import Terminal

/// `steward metrics`
struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Prints figures of every service for Prometheus.",
        discussion: """
            A service that does not answer is not a failure but a figure, steward_up 0. With \
            --output the file is replaced as a whole, as the textfile collector of \
            prometheus-node-exporter requires; docs/monitoring.md explains how to set that up.
            """)

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: "The file to replace. Default: standard output.", completion: .file())
    var file: String?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let page = MetricPage(try StatusCommand.ask(session))
        if let file { try OutputFile.write(Array(page.text.utf8), to: file) }
        if output.json { return try session.printer.json(.metrics, page.samples) }
        if file == nil { session.printer.result(bytes: Array(page.text.utf8)) }
    }
}
