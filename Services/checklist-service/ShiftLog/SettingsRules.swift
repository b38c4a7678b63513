import Messages

extension SiteSettings {
    /// The settings of a site that has none of its own.
    ///
    /// Three of its four priorities are those of the restaurants that the lists were made for; the
    /// fourth, for what can wait, is our assumption.
    package static func standard(for site: String) -> SiteSettings {
        let titles = [
            ("immediate", "Immediately", "Straks", "Genast"),
            ("before-rush", "Before the rush", "Før rushet", "Före rusningen"),
            ("during-shift", "During the shift", "Under skiftet", "Under passet"),
            ("next-shift", "Next shift", "Neste skift", "Nästa pass"),
        ]
        return SiteSettings(
            site: site,
            priorities: titles.map {
                Priority(name: $0.0, title: $0.1, titles: ["nb": $0.2, "sv": $0.3])
            },
            travelPathInterval: 30, firstTravelPathDay: 10 * 60 + 15,
            firstTravelPathEvening: 17 * 60 + 15, lateAfter: 10, grace: 10, escalateAfter: 10,
            language: "en", retentionDays: 800)
    }

    /// The minimum number of days that the archive is kept, whatever the settings say.
    package static let leastRetentionDays: UInt32 = 365

    /// Validates the settings, except for the site, the accounts and the addresses, which the
    /// service validates.
    ///
    /// - Throws: what is out of range.
    package func validate() throws(Refusal) {
        guard (1...20).contains(priorities.count) else {
            throw .invalid("a site has 1 to 20 priorities, not \(priorities.count)")
        }
        for priority in priorities {
            try validateID(priority.name, "a priority's name")
            let title = "the title of the priority \(priority.name)"
            try validateText(priority.title, title, 1...80)
            try validateTranslations(priority.titles, title, 80)
        }
        guard Set(priorities.map(\.name)).count == priorities.count else {
            throw .invalid("two priorities have the same name")
        }
        try validate(travelPathInterval, 5...240, "the minutes between two travel paths")
        try validate(firstTravelPathDay, 0...1_439, "the first travel path of a day shift")
        try validate(firstTravelPathEvening, 0...1_439, "the first travel path of an evening shift")
        try validate(
            lateAfter, 1...travelPathInterval - 1, "the minutes after which a travel path is late")
        try validate(grace, 0...1_440, "the minutes of grace")
        try validate(escalateAfter, 0...1_440, "the minutes after which superiors are alerted")
        try validate(
            retentionDays, Self.leastRetentionDays...36_500, "the days that the archive is kept")
        guard language.wholeMatch(of: /[a-z]{2}/) != nil else {
            throw .invalid("a language is two letters of ISO 639-1, e.g. “en”")
        }
        guard currency.wholeMatch(of: /(?:[A-Z]{3})?/) != nil else {
            throw .invalid("a currency is three letters of ISO 4217, e.g. “NOK”, or empty")
        }
    }

    private func validate(
        _ number: UInt32, _ range: ClosedRange<UInt32>, _ name: String
    ) throws(Refusal) {
        guard range.contains(number) else {
            throw .invalid(
                "\(name): \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
    }
}
