import Messages

/// The privacy policy that a passenger must have accepted before a journey begins. Its text is
/// among the phrases, in each language.
enum PrivacyPolicy {
    /// The version: one more with each change to what the text says. Passengers have to accept each
    /// one before their next journey.
    static let version: UInt32 = 2
    /// The day on which this version was published, ISO 8601.
    static let date = "2026-11-30"

    /// Requires that the present version was accepted.
    ///
    /// - Throws: a `Refusal` that says how to accept it.
    static func require(_ traveller: Traveller) throws(Refusal) {
        guard traveller.acceptedPolicy != version else { return }
        throw Refusal.conflict(
            "the privacy policy of \(date) has to be accepted before positions are recorded; read "
                + "it with steward transit privacy, and accept it with --accept"
        ).because(.policyUnaccepted, ["date": date])
    }
}

extension Traveller {
    /// A passenger about whom nothing is known.
    static let unknown = Traveller(
        policy: PrivacyPolicy.version, policyDate: PrivacyPolicy.date,
        notice: JourneyWatch.usualNotice)

    /// Accepts the present policy.
    ///
    /// - Throws: a `Refusal` when another version was read.
    mutating func accept(_ version: UInt32, at now: Int64) throws(Refusal) {
        guard version == PrivacyPolicy.version else {
            throw Refusal.conflict(
                "the present privacy policy is version \(PrivacyPolicy.version) of "
                    + "\(PrivacyPolicy.date), not \(version); read it again"
            ).because(.policyChanged)
        }
        guard acceptedPolicy != version else { return }
        (acceptedPolicy, accepted) = (version, now)
    }

    /// Changes the settings.
    ///
    /// - Throws: a `Refusal` when a value is out of range.
    mutating func change(_ command: ChangeTraveller) throws(Refusal) {
        if let notice = command.notice {
            try JourneyWatch.validate(notice: notice)
            self.notice = notice
        }
        if let distance = command.distance {
            try JourneyWatch.validate(distance: distance)
            self.distance = distance
        }
        if let types = command.landmarks { landmarks = try types.kept() }
        if let names = command.channels { channels = try names.kept() }
        if let teaches = command.teaches { self.teaches = teaches }
        if let keeps = command.keepsPositions { keepsPositions = keeps }
    }
}

extension ChannelNames {
    /// The names in their stored form: sorted.
    ///
    /// - Throws: a `Refusal` when one can't be the name of a channel.
    func kept() throws(Refusal) -> [String] {
        for name in names { try validateName(name, of: "a channel") }
        return names.sorted()
    }
}
