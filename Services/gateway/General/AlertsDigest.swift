import ArgumentParser
import Foundation
import LocalTime
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts digest`
    struct Digest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "digest",
            abstract: "Delivers alerts that aren't severe together, once a day.",
            discussion: """
                They are in the list and the topic at once. Channels and mail deliver one alert a \
                day, which names those that are new, were opened again or became more severe, and \
                are still open. What must be acknowledged soon is in no digest. Without options \
                it shows the present digest.
                """)

        @Option(help: ArgumentHelp("When, e.g. 7:00.", valueName: "time"))
        var at: ClockArgument?
        @Option(help: "The time zone, e.g. Europe/Oslo. Default: that of this machine.")
        var zone: String?
        @Option(help: "The highest severity to collect: info or warning. Default: info.")
        var upTo: Severity?
        @Flag(help: "Have no digest.")
        var off = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if off, at != nil || zone != nil || upTo != nil {
                throw ValidationError("--off goes with nothing else")
            }
            if at == nil, zone != nil || upTo != nil {
                throw ValidationError("--zone and --up-to go with --at")
            }
        }

        func run() throws {
            let session = try Session()
            var digest = AlertDigest()
            if let at {
                digest = AlertDigest(
                    at: at.minutes % 1_440, timeZone: zone ?? TimeZone.current.identifier,
                    upTo: upTo ?? .info)
            }
            if at != nil || off {
                digest = try session.ask(
                    .notifier, SetDigest(digest: digest), for: AlertDigest.self,
                    repeating: repeating)
            } else {
                digest = try session.ask(.notifier, ReadDigest(), for: AlertDigest.self)
            }
            guard !output.json else { return try session.printer.json(.digests, [digest]) }
            session.printer.result(
                digest.timeZone.isEmpty
                    ? "there is no digest"
                    : "alerts up to \(digest.upTo) are delivered together at "
                        + "\(LocalTime.text(minutes: Int(digest.at))), "
                        + digest.timeZone.printable)
        }
    }
}
