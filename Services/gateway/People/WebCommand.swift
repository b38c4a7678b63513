import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward web`
struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Steward in a browser.", subcommands: [Open.self])

    /// `steward web open`
    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Prints a link that logs you in with a browser.",
            discussion: """
                The link is good once, for two minutes. Whoever has it logs in as you.

                STEWARD_WEB_ORIGIN, STEWARD_WEB_PORT or STEWARD_WEB_LISTEN say where browsers find \
                the pages, as for web-service. The default is http://127.0.0.1:8093.
                """)

        @Flag(help: "Open it too. Other users of this machine may see the link meanwhile.")
        var now = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let origin = try Self.sureOrigin(session.configuration.settings)
            let reply = try session.ask(.account, MakeLogInCode(), for: LogInCode.self)
            // What follows # is not sent to any server, so it is in no log.
            let link =
                origin + "/login#name=\(Self.encoded(reply.name))&code=\(Self.encoded(reply.code))"
            if output.json {
                try session.printer.json(
                    .links, [WebLink(link: link, name: reply.name, code: reply.code)])
            } else {
                session.printer.result(link)
                session.printer.remark(
                    "good once, until \(try session.siteClock.fullMoment(reply.expires))")
            }
            if now { try Self.open(link) }
        }

        /// A link as a program gets it.
        private struct WebLink: Encodable {
            let link: String
            let name: String
            let code: String
        }

        /// Where browsers find the pages.
        static func origin(_ settings: [String: String]) -> String {
            let named = settings["STEWARD_WEB_ORIGIN"]?.split(separator: " ").first
            if let named { return String(named) }
            if let port = settings["STEWARD_WEB_PORT"], !port.isEmpty {
                return "http://127.0.0.1:" + port
            }
            let text = settings["STEWARD_WEB_LISTEN"] ?? "127.0.0.1:8093"
            // The wildcard address isn't the address of a machine.
            for all in ["0.0.0.0:", "[::]:"] where text.hasPrefix(all) {
                return "http://127.0.0.1:" + text.dropFirst(all.count)
            }
            return "http://" + text
        }

        /// The same, once it is certain. Whoever is there can log in with the code, so it must be a
        /// scheme and a host and nothing else, but with a port unless STEWARD_WEB_ORIGIN gives it.
        ///
        /// - Throws: ``Failure`` for anything else.
        static func sureOrigin(_ settings: [String: String]) throws -> String {
            let origin = Self.origin(settings)
            let isNamed = settings["STEWARD_WEB_ORIGIN"]?.contains { $0 != " " } ?? false
            let form = /https?:\/\/([a-z0-9.\-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?/
            guard let found = origin.lowercased().wholeMatch(of: form), isNamed || found.2 != nil,
                // Browsers read a plain number as an IP address.
                found.1.contains(where: { !$0.isNumber }),
                (0...65_535).contains(Int(found.2?.dropFirst() ?? "443") ?? 0)
            else {
                throw Failure(
                    .usage, "a browser can't find the pages at “\(origin)”",
                    advice: "give STEWARD_WEB_ORIGIN, STEWARD_WEB_PORT or STEWARD_WEB_LISTEN as "
                        + "web-service has it, e.g. STEWARD_WEB_ORIGIN=https://steward.example.org")
            }
            return origin
        }

        private static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }

        /// Opens a link with a browser.
        ///
        /// - Throws: ``Failure`` with the link if that doesn't work.
        static func open(_ link: String, with program: String = "/usr/bin/xdg-open") throws {
            let opener = Process()
            opener.executableURL = URL(filePath: program)
            opener.arguments = [link]
            // Its output isn't a result of this command.
            opener.standardOutput = FileHandle.standardError
            let advice = "open the link yourself: \(link)"
            do { try opener.run() } catch {
                throw Failure(
                    .file, "no browser could be opened: \(error.reason)", advice: advice)
            }
            opener.waitUntilExit()
            guard opener.terminationStatus == 0 else {
                throw Failure(
                    .broken,
                    "no browser could be opened: \(program) ended with code "
                        + "\(opener.terminationStatus)", advice: advice)
            }
        }
    }
}
