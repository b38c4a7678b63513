import Messages
import ServiceRuntime

/// What a passenger has accepted and prefers, and where they ride.
enum Travellers {
    /// Everyone has their own, and sees no other.
    static var handlers: [MessageHandler] {
        [
            .query(read, .person), .command(accept, .person), .command(change, .person),
            .query(destinations, .person), .command(mark, .person), .command(clear, .person),
            .query(positions, .person),
        ]
    }

    static func read(_: ReadTraveller, in transaction: Transaction) throws -> Traveller {
        try .of(transaction.principal.account, transaction.db)
    }

    static func accept(_ command: AcceptPolicy, in transaction: Transaction) throws -> Traveller {
        let owner = transaction.principal.account
        var traveller = try Traveller.of(owner, transaction.db)
        try traveller.accept(command.version, at: transaction.now)
        try traveller.save(transaction.principal, transaction.db)
        return traveller
    }

    static func change(
        _ command: ChangeTraveller, in transaction: Transaction
    ) throws -> Traveller {
        let owner = transaction.principal.account
        var traveller = try Traveller.of(owner, transaction.db)
        try traveller.change(command)
        try traveller.save(transaction.principal, transaction.db)
        if command.keepsPositions == false || command.teaches == false {
            try forgetRides(of: owner, as: command, in: transaction)
        }
        return traveller
    }

    /// Deletes of a passenger's rides under way what the passenger no longer wants kept: the
    /// positions, and the times from which travel times are learned. No more of either is kept.
    private static func forgetRides(
        of owner: String, as command: ChangeTraveller, in transaction: Transaction
    ) throws {
        var last = ""
        while true {
            let rides = try JourneyWatch.newest(
                owner: owner, activeOnly: true, before: last, transaction.db)
            guard let oldest = rides.last else { break }
            last = oldest.journey.id
            for var ride in rides {
                if command.keepsPositions == false { ride.journey.kept = false }
                if command.teaches == false { ride.ride?.forgetPassings() }
                try ride.save(transaction.db)
            }
        }
        if command.keepsPositions == false {
            try KeptFix.giveUpUnderWay(of: owner, transaction.db)
            try KeptFix.gone.sweep(in: transaction)
        }
        transaction.erase()
    }

    // MARK: Destinations

    /// The maximum number of destinations to choose from.
    static let mostChoices = 20

    static func destinations(
        _ query: ListDestinations, in transaction: Transaction
    ) throws -> Destinations {
        let all = try Destination.all(of: transaction.principal.account, transaction.db)
        guard query.choices > 0 else { return Destinations(destinations: all) }
        var choices = Page<Destination>(
            limit: pageLimit(query.choices, usual: mostChoices, most: mostChoices))
        for var destination in all.filter(\.favourite) + all.filter({ !$0.favourite }) {
            guard let feed = try FeedRow.named(destination.feed, transaction.db),
                let stop = try FeedHandling.stop(
                    destination.stopId, of: destination.feed, file: feed.file, in: transaction)
            else { continue }
            destination.stop = stop
            let bytes = destination.packed().count
            guard choices.add(destination, bytes: bytes) else { break }
        }
        return Destinations(destinations: choices.rows)
    }

    static func mark(_ command: MarkFavourite, in transaction: Transaction) throws -> Destinations {
        let owner = transaction.principal.account
        let kept = try Destination.of(
            owner, feed: command.feed, stop: command.stopId, transaction.db)
        if command.favourite {
            try addFavourite(command, kept, in: transaction)
        } else if var kept {
            kept.favourite = false
            // A stop that was never ridden to was only a favourite.
            if kept.used == 0 {
                try kept.delete(owner, transaction.db)
            } else {
                try kept.save(owner, transaction.db)
            }
        } else {
            throw Refusal.notFound("\(command.stopId) isn't a favourite")
                .because(.favouriteMissing, of: command.stopId)
        }
        return try destinations(ListDestinations(), in: transaction)
    }

    private static func addFavourite(
        _ command: MarkFavourite, _ kept: Destination?, in transaction: Transaction
    ) throws {
        let owner = transaction.principal.account
        let favourites = try Destination.all(of: owner, transaction.db).filter(\.favourite)
        guard kept?.favourite == true || favourites.count < Destination.mostFavourites else {
            throw Refusal.conflict(
                "there are \(favourites.count) favourites; remove one first"
            ).because(.favouriteLimit, ["most": "\(Destination.mostFavourites)"])
        }
        let row = try FeedRow.required(command.feed, transaction.db)
        let file = try FeedShelf.shared.file(row.file, in: transaction.dataDirectory)
        guard let stop = try file.stop(command.stopId) else {
            throw Refusal.unknownStop(command.stopId, in: command.feed)
        }
        var favourite =
            kept ?? Destination(feed: command.feed, stopId: command.stopId, name: stop.name)
        favourite.favourite = true
        try favourite.save(owner, transaction.db)
        // The data kept about a passenger belongs to an organisation.
        try Traveller.of(owner, transaction.db).save(transaction.principal, transaction.db)
    }

    static func clear(_: ClearDestinations, in transaction: Transaction) throws -> Destinations {
        try Destination.clear(of: transaction.principal.account, transaction.db)
        transaction.erase()
        return try destinations(ListDestinations(), in: transaction)
    }

    /// Records that a journey begins.
    static func ride(_ journey: Journey, in transaction: Transaction) throws {
        guard let stop = journey.stop else { return }
        var destination =
            try Destination.of(journey.owner, feed: journey.feed, stop: stop.id, transaction.db)
            ?? Destination(feed: journey.feed, stopId: stop.id)
        destination.name = stop.name
        destination.used = transaction.now
        destination.journeys += 1
        try destination.save(journey.owner, transaction.db)
    }

    // MARK: Positions

    static func positions(
        _ query: ReadKeptPositions, in transaction: Transaction
    ) throws -> KeptPositions {
        let watch = try JourneyWatch.required(
            query.journeyId, owner: transaction.principal.account, transaction.db)
        guard watch.journey.kept else {
            throw Refusal.notFound(
                "the positions of this journey were not kept; to keep those of later ones: "
                    + "steward transit settings --keep-positions")
        }
        return try KeptFix.read(watch.journey.id, after: Int(query.after), transaction.db)
    }
}
