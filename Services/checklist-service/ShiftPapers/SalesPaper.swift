import LocalTime
import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// The sales report: planned and actual sales and crew hours, travel paths by the half hour,
    /// and the measurements of service.
    ///
    /// - Parameter now: the time in milliseconds since 1970; for an ended shift its end is used.
    package func salesPaper(at now: Int64) -> Paper {
        let words = self.words
        let hours = salesReport(at: now)
        var blocks: [Paper.Block] = [.table(figures(hours, words))]
        let measured = hours.flatMap { hour in
            hour.service.map {
                [
                    "\(LocalTime.text(minutes: hour.hour * 60))", $0.name.shown,
                    decimal($0.entry.value, places: 3),
                ]
            }
        }
        if !measured.isEmpty {
            blocks.append(
                .table(
                    Paper.Table(
                        columns: [
                            .init(title: words.say(.hour)),
                            .init(title: words.say(.measurement), weight: 4),
                            .init(title: words.say(.value), isNumber: true, weight: 2),
                        ],
                        rows: measured)))
        }
        return paper(words.say(.sales), summary: settings.currency.shown, size: .hand, blocks)
    }

    private func figures(_ hours: [SalesHour], _ words: Words<PaperPhrase>) -> Paper.Table {
        var table = Paper.Table(
            columns: [
                .init(title: words.say(.hour), weight: 3),
                .init(title: words.say(.salesPlanned), isNumber: true, weight: 5),
                .init(title: words.say(.salesActual), isNumber: true, weight: 5),
                .init(title: words.say(.crewPlanned), isNumber: true, weight: 5),
                .init(title: words.say(.crewActual), isNumber: true, weight: 5),
                .init(title: words.say(.travelPath, ["minute": ":00"]), weight: 4),
                .init(title: words.say(.travelPath, ["minute": ":30"]), weight: 4),
            ], rows: [])
        for hour in hours {
            table.rows.append([
                LocalTime.text(minutes: hour.hour * 60), money(hour.salesPlanned?.value),
                money(hour.salesActual?.value), time(hour.crewPlanned?.value),
                time(hour.crewActual?.value), walked(hour.firstHalf),
                walked(hour.secondHalf),
            ])
        }
        func sum(_ figure: (SalesHour) -> FigureEntry?) -> Int64? {
            let values = hours.compactMap { figure($0)?.value }
            // Absurd figures must not stop the report: sums are clamped.
            return values.isEmpty
                ? nil
                : values.reduce(0) { sum, value in
                    let (result, isTooLarge) = sum.addingReportingOverflow(value)
                    return isTooLarge ? (value < 0 ? .min : .max) : result
                }
        }
        table.rows.append([
            words.say(.total), money(sum(\.salesPlanned)), money(sum(\.salesActual)),
            time(sum(\.crewPlanned)), time(sum(\.crewActual)), "", "",
        ])
        table.hasTotal = true
        return table
    }

    /// A figure in its unit.
    func figure(_ value: Int64, _ kind: FigureKind) -> String {
        switch kind {
        case .salesPlanned, .salesActual: joined([money(value), settings.currency])
        case .crewPlanned, .crewActual: time(value)
        default: decimal(value, places: 3)
        }
    }

    /// The states of the travel paths of half an hour.
    private func walked(_ slots: [TravelPathSlot]) -> String {
        slots.map { word(of: $0.state) }.joined(separator: ", ")
    }

    private func money(_ hundredths: Int64?) -> String {
        hundredths.map { decimal($0, places: 2, keepsZeros: true) } ?? ""
    }

    /// Formats minutes as hours and minutes.
    private func time(_ minutes: Int64?) -> String {
        guard let minutes else { return "" }
        let rest = (minutes % 60).magnitude
        return "\(minutes < 0 ? "-" : "")\((minutes / 60).magnitude):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// A number of hundredths or thousandths, in groups of three digits.
    private func decimal(
        _ value: Int64, places: Int, keepsZeros: Bool = false
    ) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = String(padded.suffix(places))
        if !keepsZeros { while fraction.last == "0" { fraction.removeLast() } }
        var whole = ""
        for (index, digit) in padded.dropLast(places).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { whole.append("\u{A0}") }
            whole.append(digit)
        }
        let tail = fraction.isEmpty ? "" : words.language.decimalSeparator + fraction
        return (value < 0 ? "-" : "") + String(whole.reversed()) + tail
    }
}
