import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward doctor`
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Finds problems and says how to fix them.",
        discussion: """
            It examines versions, keys, addresses, clocks, free space, what the services \
            report about their stores, and whether browsers find the pages where STEWARD_WEB_… \
            says. It changes nothing. The exit code is 70 if something is wrong.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let printer = Printer()
        let findings = try Self.look(printer).findings
        if output.json {
            try printer.json(.findings, findings)
        } else {
            for finding in findings {
                let word =
                    finding.isWrong
                    ? Style.red("wrong:", if: printer.out.hasColours)
                    : Style.yellow("soon:", if: printer.out.hasColours)
                printer.result("\(word) \(finding.sentence.printable)")
                printer.result("       \(finding.cure)")
            }
            if findings.isEmpty { printer.result("nothing is wrong") }
        }
        let count = findings.filter(\.isWrong).count
        guard count == 0 else {
            throw Failure(.broken, "\(Wording.count(count, "thing")) to put right")
        }
    }

    /// Gathers what can be learnt about the installation. Throws if a setting can't be used.
    private static func look(_ printer: Printer) throws -> Checkup {
        let configuration = try Bus.Configuration()
        var checkup = Checkup(now: WallClock.milliseconds(), bus: configuration.bus.description)
        if let directory = configuration.keysDirectory {
            let ring = KeyRing(directory: directory)
            do {
                checkup.keys = try ring.entries()
                checkup.hasOwnSecret = ring.hasSecret("steward")
            } catch { checkup.keyFailure = error.description }
            // Without keys no service can be asked.
            if !checkup.findings.isEmpty { return checkup }
        }
        let session = try Session(printer: printer)
        let reports = try StatusCommand.ask(session)
        for (service, report) in zip(ServiceName.allCases, reports) {
            checkup.patients.append(
                Checkup.Patient(
                    service: service, status: report.status, state: report.state,
                    clock: report.clock,
                    hasListener: report.status == nil
                        ? hasListener(configuration.bus, service) : nil))
        }
        let runs = checkup.patients.contains { $0.service == .web && $0.status != nil }
        checkup.pages = pages(
            configuration.settings, areAsked: runs && configuration.bus.isLocal)
        return checkup
    }

    /// The pages of web-service by its settings, and what it answers if it is asked.
    private static func pages(_ settings: [String: String], areAsked: Bool) -> Checkup.Pages {
        let named = (settings["STEWARD_WEB_ORIGIN"] ?? "").split(separator: " ").map { String($0) }
        var pages = Checkup.Pages(
            origins: named.isEmpty ? [WebCommand.Open.origin(settings)] : named,
            hasProxy: settings["STEWARD_WEB_PROXY"]?.isEmpty == false)
        guard areAsked, let probe = PageProbe(settings) else { return pages }
        pages.address = probe.address
        for origin in pages.origins {
            pages.answers[origin] = probe.status(for: origin)
        }
        return pages
    }

    /// True if something accepts connections at the port of a service on this machine.
    private static func hasListener(_ bus: BusAddress, _ service: ServiceName) -> Bool? {
        guard bus.isLocal, !bus.isPrivate,
            let port = bus.connecting(service, .commands).split(separator: ":").last
                .flatMap({ UInt16($0) })
        else { return nil }
        guard let file = PageProbe.connection(to: "127.0.0.1", port) else { return false }
        close(file)
        return true
    }
}
