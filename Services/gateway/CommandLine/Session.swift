import ArgumentParser
import Bus
import Foundation
import LocalTime
import Messages
import Phrases
import Speech
import Terminal

/// What a command works with: the configuration, the connection to the services, and the printer.
struct Session {
    /// The configuration from the environment.
    let configuration: Bus.Configuration
    /// The connection to the services.
    let connection: Connection
    /// Prints for the person.
    let printer: Printer
    /// The log-in, which shows who is asking.
    let keptLogIn: KeptLogIn
    /// The site that commands without `--site` are about.
    let keptSite: KeptSite
    /// The plan that commands without `--plan` are about.
    let keptPlan: KeptChoice
    /// The project that commands without `--project` are about.
    let keptProject: KeptChoice
    private let keptLanguage: KeptLanguage

    /// How long to wait for a service that seems to be missing.
    private static let atOnce: Duration = .seconds(5)

    /// The session of this process.
    ///
    /// - Parameter process: the name of the key to use when the bus is encrypted.
    init(printer: Printer = Printer(), as process: String = "steward") throws {
        configuration = try Bus.Configuration()
        connection = Connection(process: process, configuration: configuration)
        self.printer = printer
        keptLogIn = KeptLogIn(configuration, connection)
        keptSite = KeptSite(configuration, connection, keptLogIn)
        keptPlan = KeptChoice("plan", configuration, connection, keptLogIn)
        keptProject = KeptChoice("project", configuration, connection, keptLogIn)
        keptLanguage = KeptLanguage(configuration, connection, keptLogIn)
    }

    /// The language of screens, drawings and findings: the one that the account prefers, else that
    /// of STEWARD_LANG, else that of LANG.
    var language: Language {
        get throws { try keptLanguage.language { try client(.notifier) } }
    }

    /// The clock of the site in use, else of the only site, for times that are shown; that of this
    /// machine if there is none, or if account-service doesn't name it.
    var siteClock: SiteClock {
        get throws {
            do {
                return SiteClock(zone: try siteZone(deadline: .seconds(1)))
            } catch let error
                where error is ClientError || error is ProtobufError || error is Failure
                || error is ConfigurationError
            { return SiteClock(zone: nil) }
        }
    }

    /// The same clock for times that are typed; that of this machine only if there is no such site.
    ///
    /// - Throws: what ``ask(_:_:for:repeating:deadline:)`` throws: in another zone, what was typed
    ///   would mean another time.
    var inputClock: SiteClock {
        get throws {
            do {
                guard let zone = try siteZone() else { return SiteClock(zone: nil) }
                guard LocalTime(zone: zone) != nil else {
                    throw Failure(
                        .refused, "this machine doesn't know the site's time zone “\(zone)”",
                        advice: "install its time zones: the package tzdata")
                }
                return SiteClock(zone: zone)
            } catch ClientError.noAnswer(let service, _) {
                throw Failure(
                    .notRunning,
                    "\(service.rawValue) has not answered in time, so the site's time zone isn't "
                        + "known; nothing was sent",
                    advice: "repeat the command in a moment")
            }
        }
    }

    /// The time zone of the site in use, else of the only site; nil if there is none.
    private func siteZone(deadline: Duration = .seconds(10)) throws -> String? {
        let sites = try sites(deadline: deadline)
        let kept = try keptSite.chosen()?.id
        let site = sites.first { $0.id == kept } ?? (sites.count == 1 ? sites[0] : nil)
        return site?.timeZone
    }

    /// A client of a service.
    ///
    /// - Parameter isPatient: true to wait for a service that is not running; false to fail
    ///   immediately.
    func client(_ service: ServiceName, isPatient: Bool = false) throws -> Client {
        let client = try Client(connection, to: service, isPatient: isPatient)
        client.renewToken = { [keptLogIn] in try keptLogIn.token(for: service) }
        return client
    }

    /// True if a service refused the access token of a message and the next one will have another.
    ///
    /// - Parameters:
    ///   - reply: the service's reply.
    ///   - token: the token that the message had.
    func renewsToken(after reply: Envelope, to token: [UInt8]) throws -> Bool {
        guard reply.type == Refusal.protobufName, Self.code(ofRefusal: reply.data) == .badToken
        else { return false }
        return try keptLogIn.forgetTokens(refused: token)
    }

    /// The code of a refusal; nil if it can't be read.
    private static func code(ofRefusal data: [UInt8]) -> Refusal.Code? {
        do { return try Refusal(unpacking: data).code } catch { return nil }
    }

    /// Sends one message to a service and returns its answer.
    ///
    /// - Parameters:
    ///   - repeating: how the person wants the command repeated.
    ///   - deadline: how long to wait for the answer.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type,
        repeating: RepeatOptions? = nil, deadline: Duration = .seconds(10)
    ) throws -> R {
        let start = ContinuousClock.now
        let client = try self.client(service, isPatient: false)
        do {
            return try client.ask(
                message, for: R.self, id: repeating?.messageID, deadline: deadline)
        } catch ClientError.refused(let refusal)
            where [.badToken, .forbidden].contains(refusal.code) && repeating?.id == nil
        {
            // The token may have been revoked, or its rights changed: try with a new one.
            let renews = try keptLogIn.forgetTokens(refused: client.token)
            guard renews || refusal.isBecause(.keyAwaited) else {
                throw ClientError.refused(refusal)
            }
            return try askAgain(service, message, for: R.self, deadline: deadline)
        } catch ClientError.notRunning(let missing)
            where ContinuousClock.now - start > min(Self.atOnce, deadline / 2)
        {
            // A service that isn't running is noticed immediately: this one runs but accepts
            // nothing.
            throw Failure(
                .notRunning, "\(missing.rawValue) does not answer; nothing was sent",
                advice: "look at its log, and if it hangs, end it: steward up starts it again")
        }
    }

    /// Asks once more, and again for as long as the service has no key to verify the token with.
    /// The key arrives a moment after account-service is first started, or has made another one.
    private func askAgain<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type, deadline: Duration
    ) throws -> R {
        let end = ContinuousClock.now + Self.atOnce
        while true {
            do {
                return try client(service).ask(message, for: R.self, deadline: deadline)
            } catch ClientError.refused(let refusal)
                where refusal.isBecause(.keyAwaited) && ContinuousClock.now < end
            {
                poll(nil, 0, 200)
            }
        }
    }
}

/// How results are shown.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, as described in docs/json.md.")
    var json = false

    /// Does the same for each of several items and prints the results: a line for each as it is
    /// done, or one list of all that were done, even if a later one fails.
    func each<Object: Encodable>(
        _ things: [String], _ list: ListName, _ printer: Printer,
        do act: (String) throws -> Object, line: (Object) -> String
    ) throws {
        Printer.outlivesReaders = true
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
