import ArgumentParser
import Bus
import Foundation
import Messages
import Phrases
import Speech
import Terminal

/// What a command acts through: the configuration, the way to the services, and the printer.
struct Session {
    /// What the environment says.
    let configuration: Bus.Configuration
    /// The way to the services.
    let connection: Connection
    /// The way to the person.
    let printer: Printer
    /// The proof of who asks.
    let keptLogIn: KeptLogIn
    /// The site that commands are about when they name none.
    let keptSite: KeptSite
    /// The plan that commands are about when they name none.
    let keptPlan: KeptPlan
    private let keptLanguage: KeptLanguage

    /// Whatever takes longer than this is more than a missing service.
    private static let atOnce: Duration = .seconds(5)

    /// The session of this process.
    ///
    /// - Parameter process: under whose key it speaks, when the bus is encrypted.
    init(printer: Printer = Printer(), as process: String = "steward") throws {
        configuration = try Bus.Configuration()
        connection = Connection(process: process, configuration: configuration)
        self.printer = printer
        keptLogIn = KeptLogIn(configuration, connection)
        keptSite = KeptSite(configuration, connection, keptLogIn)
        keptPlan = KeptPlan(configuration, connection, keptLogIn)
        keptLanguage = KeptLanguage(configuration, connection, keptLogIn)
    }

    /// The language in which screens, drawings and findings speak: the one that the account
    /// prefers, else that of STEWARD_LANG, else that of LANG.
    var language: Language {
        get throws { try keptLanguage.language { try client(.notifier) } }
    }

    /// The clock of the site in use, else of the only one; that of this machine when there is none,
    /// or when it can't be learnt now.
    var siteClock: SiteClock {
        get throws {
            do {
                let sites = try ask(
                    .account, ListOrganisations(), for: Organisations.self, deadline: .seconds(1)
                ).organisations.flatMap(\.sites)
                let kept = try keptSite.chosen()?.id
                let site = sites.first { $0.id == kept } ?? (sites.count == 1 ? sites[0] : nil)
                return SiteClock(zone: site?.timeZone)
            } catch is ClientError {
                return SiteClock(zone: nil)
            } catch is Failure {
                return SiteClock(zone: nil)
            }
        }
    }

    /// A client of a service.
    ///
    /// - Parameter isPatient: true waits for a service that is not running; false says so at once.
    func client(_ service: ServiceName, isPatient: Bool = false) throws -> Client {
        let client = try Client(connection, to: service, isPatient: isPatient)
        client.renewToken = { [keptLogIn] in try keptLogIn.token(for: service) }
        return client
    }

    /// True when a service refused the access token and the next message will have a new one.
    func renewsToken(after reply: Envelope) throws -> Bool {
        guard reply.type == Refusal.protobufName,
            try Refusal(unpacking: reply.data).code == .badToken
        else { return false }
        return try keptLogIn.forgetTokens()
    }

    /// Asks a service one thing.
    ///
    /// - Parameters:
    ///   - repeating: how the person wants a command repeated.
    ///   - deadline: how long an answer may take.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type,
        repeating: RepeatOptions? = nil, deadline: Duration = .seconds(10)
    ) throws -> R {
        let start = ContinuousClock.now
        do {
            return try client(service).ask(
                message, for: R.self, id: repeating?.messageID, deadline: deadline)
        } catch ClientError.refused(let refusal)
            where [.badToken, .forbidden].contains(refusal.code) && repeating?.id == nil
        {
            // The token may have been revoked, or what it allows has changed: the newest decides.
            guard try keptLogIn.forgetTokens() else { throw ClientError.refused(refusal) }
            return try client(service).ask(message, for: R.self, deadline: deadline)
        } catch ClientError.notRunning(let missing)
            where ContinuousClock.now - start > Self.atOnce
        {
            // One that is not there is known at once: this one is there and takes nothing.
            throw Failure(
                .notRunning, "\(missing.rawValue) does not answer; nothing was sent",
                advice: "look at its log, and if it hangs, end it: steward up starts it again")
        }
    }
}

/// How results are shown.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, as docs/json.md says.")
    var json = false

    /// Does the same for each of several things and prints what came of it: a line at once, or one
    /// list of all that were done, also when the next one fails.
    func each<Object: Encodable>(
        _ things: [String], _ list: ListName, _ printer: Printer,
        do act: (String) throws -> Object, line: (Object) -> String
    ) throws {
        var done: [Object] = []
        var failure: (any Error)?
        for thing in things where failure == nil {
            do {
                let object = try act(thing)
                done.append(object)
                if !json { printer.result(line(object)) }
            } catch { failure = error }
        }
        if json, !done.isEmpty { try printer.json(list, done) }
        if let failure { throw failure }
    }
}

/// How a command whose outcome is not known is given again.
struct RepeatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Repeat the command of this id, whose outcome is not known.", valueName: "uuid"))
    var id: String?

    /// The id as the bus wants it; nil for a new command.
    var messageID: MessageID? { id.flatMap { MessageID($0) } }

    func validate() throws {
        if let id, MessageID(id) == nil {
            throw ValidationError("“\(id)” is not an id; copy the whole id from the message")
        }
    }
}
