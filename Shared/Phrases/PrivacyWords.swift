extension Words<ScreenPhrase> {
    /// The privacy policy for a passenger's positions, by paragraphs; the first is its title.
    ///
    /// - Parameters:
    ///   - version: its version.
    ///   - date: the day on which that was published, in ISO 8601.
    package func privacyPolicy(version: UInt32, date: String) -> [String] {
        [
            say(.privacyTitle, ["version": "\(version)", "date": date]), say(.privacyWhat),
            say(.privacyUse), say(.privacyEnd), say(.privacyComment), say(.privacyKept),
            say(.privacyErase),
        ]
    }
}
