extension Language {
    /// A remaining time: “45 seconds”, “3 min 20 s”.
    package func duration(seconds: Int) -> String {
        let words = Words<UnitPhrase>(self)
        let seconds = max(0, seconds)
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        if minutes == 0 { return words.say(.seconds, ["count": "\(seconds)"]) }
        return words.say(
            rest == 0 ? .minutes : .minutesSeconds, ["minutes": "\(minutes)", "seconds": "\(rest)"])
    }

    /// A distance, with the precision that people need: “650 m”, “1.2 km”.
    func distance(metres: Int) -> String {
        let words = Words<UnitPhrase>(self)
        let metres = max(0, metres)
        guard metres >= 1000 else { return words.say(.metres, ["metres": "\(metres / 10 * 10)"]) }
        return words.say(
            .kilometres, ["kilometres": decimal(Int64(metres / 100), decimals: 1)])
    }
}
