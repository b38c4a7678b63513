import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// The commands for the data kept about a passenger.
enum TravellerCommand {
    /// `steward transit privacy`
    struct Privacy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "privacy",
            abstract: "Shows what is done with your positions, and accepts it.")

        @Flag(help: "Accept it: without that no ride begins.")
        var accept = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var traveller = try session.ask(.transitAlert, ReadTraveller(), for: Traveller.self)
            if accept { traveller = try PrivacyConsent.accept(traveller, session, repeating) }
            guard !output.json else { return try session.printer.json(.travellers, [traveller]) }
            for line in PrivacyConsent.text(traveller, try session.language) {
                session.printer.result(line)
            }
            let isAccepted = traveller.acceptedPolicy == traveller.policy
            let clock = try session.siteClock
            session.printer.remark(
                isAccepted
                    ? "you accepted it on \(clock.moment(traveller.accepted))"
                    : "you have not accepted it: steward transit privacy --accept")
        }
    }

    /// `steward transit settings`
    struct Settings: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Shows and changes how you are alerted on rides.",
            discussion: """
                The alert comes as soon as either the time or the distance is reached. Options of \
                a ride override these settings. steward alerts channel sets how alerts can reach \
                you.
                """)

        @Option(help: "How long before the arrival to alert you, 1m to 30m.")
        var notice: DurationArgument?
        @Option(
            help: ArgumentHelp(
                "Alert you at the latest this far from the stop, 100 to 20000; 0 for no distance.",
                valueName: "metres"))
        var distance: UInt32?
        @Flag(
            inversion: .prefixedNo,
            help: "Keep the positions of your rides for 30 days, for yourself.")
        var keepPositions: Bool?
        @Option(
            help: ArgumentHelp(
                "The types of landmarks to announce, separated by commas; all, or none.",
                valueName: "types"))
        var landmarks: String?
        @Option(
            help: ArgumentHelp(
                "Your channels that deliver alerts of rides, separated by commas, mail for mail; "
                    + "or all.", valueName: "names"))
        var channels: String?
        @Flag(
            inversion: .prefixedNo,
            help: "Let the alarm learn from the travel times of your rides, without your name.")
        var teach: Bool?
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let isChange =
                notice != nil || distance != nil || keepPositions != nil || landmarks != nil
                || teach != nil || channels != nil
            let change = ChangeTraveller(
                notice: notice?.milliseconds, distance: distance, keepsPositions: keepPositions,
                landmarks: landmarks.map(LandmarkTypes.init(typed:)), teaches: teach,
                channels: try channels.map { try ChannelNames(typed: $0, session) })
            let traveller =
                try isChange
                ? session.ask(
                    .transitAlert, change, for: Traveller.self, repeating: repeating)
                : session.ask(.transitAlert, ReadTraveller(), for: Traveller.self)
            guard !output.json else { return try session.printer.json(.travellers, [traveller]) }
            let distance =
                traveller.distance == 0
                ? "" : ", or \(Wording.distance(traveller.distance)) if that is earlier"
            session.printer.result(
                "alerts come \(Wording.duration(traveller.notice)) before the stop\(distance)")
            session.printer.result(
                traveller.keepsPositions
                    ? "positions are kept for 30 days" : "positions are deleted when a ride ends")
            session.printer.result(
                traveller.teaches
                    ? "the alarm learns from the travel times of your rides"
                    : "the alarm does not learn from the travel times of your rides")
            let types = traveller.landmarks.map(\.printable).joined(separator: ", ")
            session.printer.result("landmarks: \(types.isEmpty ? "none" : types)")
            let names = traveller.channels.map(\.printable).joined(separator: ", ")
            session.printer.result("channels: \(names.isEmpty ? "all" : names)")
        }
    }

    /// `steward transit destinations`
    struct Destinations: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "destinations",
            abstract: "Lists your destinations, the most recent first, and your favourites.")

        @Flag(help: "Delete them except favourites.")
        var clear = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply =
                try clear
                ? session.ask(
                    .transitAlert, ClearDestinations(), for: Messages.Destinations.self,
                    repeating: repeating)
                : session.ask(
                    .transitAlert, ListDestinations(), for: Messages.Destinations.self)
            try TravellerCommand.show(reply, session, output)
        }
    }

    /// `steward transit favourite`
    struct Favourite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "favourite",
            abstract: "Keeps a stop among your destinations forever.")

        @Argument(help: "The stop: its id, or words of its name.", completion: Offered.stops)
        var stop: String
        @Option(help: "Only this timetable.")
        var feed: FeedName?
        @Flag(help: "Remove it from the favourites.")
        var remove = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let found = try DestinationSearch.find(stop, feed: feed, session)
            let reply = try session.ask(
                .transitAlert,
                MarkFavourite(feed: found.feed, stopId: found.id, favourite: !remove),
                for: Messages.Destinations.self, repeating: repeating)
            try TravellerCommand.show(reply, session, output)
        }
    }

    private static func show(
        _ reply: Messages.Destinations, _ session: Session, _ output: OutputOptions
    ) throws {
        let list = reply.destinations
        guard !output.json else { return try session.printer.json(.destinations, list) }
        guard !list.isEmpty else { return session.printer.remark("there are no destinations") }
        let clock = try session.siteClock
        var table = TextTable([
            .id("ID"), .text("STOP"), .text("TIMETABLE"), .number("RIDES"),
            .time(clock.title("LAST", of: list.map(\.used))), .text(""),
        ])
        for it in list {
            table.add([
                .init(it.stopId, .bold), .init(it.name), .init(it.feed), "\(it.journeys)",
                .init(it.used == 0 ? "" : clock.moment(it.used)),
                .init(it.favourite ? "favourite" : ""),
            ])
        }
        session.printer.table(table)
    }

    /// `steward transit erase`
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erases your rides, destinations, settings and feedback forever.",
            discussion: """
                The alerts of your rides are erased too, and what events and mails say about them. \
                Your acceptance of the privacy policy is kept. Earlier backups still have \
                everything.
                """)

        @Flag(help: "Don't ask.")
        var yes = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            if !yes {
                try Deletion.ask("what is kept about your rides", session) {
                    "what is kept about your rides"
                }
            }
            let reply = try session.ask(
                .transitAlert, EraseTravel(), for: TravelErased.self, repeating: repeating)
            guard !output.json else { return try session.printer.json(.erasures, [reply]) }
            session.printer.result("erased \(Wording.count(reply.journeys, "journey"))")
        }
    }
}

extension LandmarkTypes {
    /// The types as they are typed: separated by commas; `none` for none.
    init(typed text: String) { self.init(types: text == "none" ? [] : Self.words(text)) }

    /// The words of a text, which commas separate.
    fileprivate static func words(_ text: String) -> [String] {
        text.split(separator: ",").map { word in String(word.filter { $0 != " " }) }
    }
}

extension ChannelNames {
    /// Channels of the person, as they are typed: separated by commas; `all` for all.
    ///
    /// - Throws: ``Failure`` if the person has no channel of that name, or it delivers nothing by
    ///   itself.
    init(typed text: String, _ session: Session) throws {
        let names = text == "all" ? [] : LandmarkTypes.words(text)
        let own = try session.ask(.notifier, ListChannels(), for: AlertChannels.self).channels
        let known = own.map(\.name) + ["mail"]
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw Failure(
                .refused, "you have no channel “\(unknown.printable)”",
                advice: "you have \(known.joined(separator: ", ")); another one is added with "
                    + "steward alerts channel add")
        }
        if let spare = own.first(where: { $0.spare && names.contains($0.name) }) {
            throw Failure(
                .refused,
                "“\(spare.name.printable)” is a spare channel: it delivers what others fail to",
                advice: "choose another one, or add it again without --spare")
        }
        if names.contains("mail") {
            let preference = try session.ask(
                .notifier, ReadAlertPreference(), for: AlertPreference.self)
            guard !preference.mail.isEmpty else {
                throw Failure(
                    .refused, "no alerts are mailed to you",
                    advice: "give an address with steward alerts prefer --mail, or leave mail out")
            }
        }
        self.init(names: names)
    }
}
