import ArgumentParser
import Bus
import Terminal

/// `steward version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Prints the version of this program.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let printer = Printer()
        if output.json {
            try printer.json(.programs, [["name": "steward", "version": stewardVersion]])
        } else {
            printer.result("steward \(stewardVersion)")
        }
    }
}
