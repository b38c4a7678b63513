import ArgumentParser
import Bus
import Foundation
import LocalTime
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

/// `steward sales`
struct SalesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sales", abstract: "The sales report of the open shift, hour by hour.",
        subcommands: [Show.self, Enter.self])

    /// `steward sales show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows sales, crew hours, service and travel paths, hour by hour.")

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let sheet = SalesSheet(desk.state, at: WallClock.milliseconds())
            if output.json { return try session.printer.json(.hours, sheet.rows) }
            session.printer.table(sheet.table)
            try desk.remarkOnState()
        }
    }

    /// `steward sales enter`
    struct Enter: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enter",
            abstract: "Enters figures for an hour. A later figure replaces an earlier one.",
            discussion: """
                steward sales enter 12 --sales 2345.50 --crew 14.5
                steward sales enter 12 --planned-sales 2500 --service 'seconds per order=94'
                """)

        @Argument(help: "The full hour, 0 to 23, as 12 or 12:00: from 12:00 to 13:00.")
        var hour: HourArgument
        @Option(name: .customLong("sales"), help: "Actual sales, in the currency.")
        var salesActual: FigureArgument?
        @Option(name: .customLong("planned-sales"), help: "Planned sales, in the currency.")
        var salesPlanned: FigureArgument?
        @Option(name: .customLong("crew"), help: "Actual crew time, in hours.")
        var crewActual: FigureArgument?
        @Option(name: .customLong("planned-crew"), help: "Planned crew time, in hours.")
        var crewPlanned: FigureArgument?
        @Option(help: "A measurement of service: NAME=NUMBER; may be given several times.")
        var service: [String] = []
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard try !figures().isEmpty else {
                throw ValidationError("give a figure, e.g. --sales 2345.50")
            }
        }

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            try desk.perform(try figures().map { .figure($0) })
            let sheet = SalesSheet(desk.state, at: WallClock.milliseconds())
            let row = sheet.rows.filter { $0.hour == Int(hour.hour) }
            if output.json { return try session.printer.json(.hours, row) }
            session.printer.table(sheet.table(row))
        }

        private func figures() throws -> [EnterFigure] {
            let plain: [(FigureKind, FigureArgument?, Int64)] = [
                (.salesPlanned, salesPlanned, 100), (.salesActual, salesActual, 100),
                (.crewPlanned, crewPlanned, 60), (.crewActual, crewActual, 60),
            ]
            let figures = plain.compactMap { kind, figure, scale in
                figure.map { EnterFigure(hour: hour.hour, kind: kind, value: $0.scaled(by: scale)) }
            }
            return try figures
                + service.map { text in
                    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                    guard parts.count == 2, let value = FigureArgument(argument: parts[1]) else {
                        throw ValidationError("“\(text)” is not NAME=NUMBER")
                    }
                    return EnterFigure(
                        hour: hour.hour, kind: .service, name: parts[0],
                        value: value.scaled(by: 1000))
                }
        }
    }
}

/// A full hour as it is typed: `12`, or `12:00` as the sales report shows it.
struct HourArgument: ExpressibleByArgument, Hashable {
    /// The hour, 0 to 23.
    let hour: UInt32

    init?(argument: String) {
        guard let found = argument.wholeMatch(of: /(\d{1,2})(?:[:.]00)?/),
            let read = UInt32(found.1), read < 24
        else { return nil }
        hour = read
    }
}

/// A number as it is typed: `2345.50`, `2345,50`, `94`; with up to three decimals, below ten
/// billion.
struct FigureArgument: ExpressibleByArgument, Hashable {
    /// The number in thousandths.
    let thousandths: Int64

    init?(argument: String) {
        guard let read = Thousandths.read(argument), read >= 0 else { return nil }
        thousandths = read
    }

    /// The number in another unit, rounded to the nearest.
    func scaled(by scale: Int64) -> Int64 { (thousandths * scale + 500) / 1000 }
}

/// The sales report as it is printed.
struct SalesSheet {
    /// An hour in JSON: sales in hundredths of the currency, crew time in minutes, service in
    /// thousandths of its unit; absent when nothing was entered.
    struct Row: Encodable {
        let hour: Int
        let salesPlanned: Int64?
        let salesActual: Int64?
        let crewPlanned: Int64?
        let crewActual: Int64?
        let service: [String: Int64]
        let travelPathsFirstHalf: [TravelPathSlot.State]
        let travelPathsSecondHalf: [TravelPathSlot.State]
    }

    /// The hours of the shift.
    let rows: [Row]
    private let currency: String

    init(_ state: ShiftState, at now: Int64) {
        currency = state.settings.currency
        rows = state.salesReport(at: now).map { hour in
            Row(
                hour: hour.hour, salesPlanned: hour.salesPlanned?.value,
                salesActual: hour.salesActual?.value, crewPlanned: hour.crewPlanned?.value,
                crewActual: hour.crewActual?.value,
                service: Dictionary(
                    hour.service.map { ($0.name, $0.entry.value) },
                    uniquingKeysWith: { first, _ in first }),
                travelPathsFirstHalf: hour.firstHalf.map(\.state),
                travelPathsSecondHalf: hour.secondHalf.map(\.state))
        }
    }

    /// All hours as a table.
    var table: TextTable { table(rows) }

    /// Some hours as a table.
    func table(_ rows: [Row]) -> TextTable {
        let unit = currency.isEmpty ? "" : " \(currency)"
        var table = TextTable([
            .text("HOUR"), .number("PLANNED" + unit), .number("SALES" + unit),
            .number("CREW PLANNED"), .number("CREW"), .text("TP :00"), .text("TP :30"),
            .text("SERVICE"),
        ])
        for row in rows {
            table.add([
                .init(LocalTime.text(minutes: row.hour * 60)),
                .init(row.salesPlanned.map { FigureText.decimal($0, 100) } ?? ""),
                .init(row.salesActual.map { FigureText.decimal($0, 100) } ?? ""),
                .init(row.crewPlanned.map { FigureText.hours($0) } ?? ""),
                .init(row.crewActual.map { FigureText.hours($0) } ?? ""),
                Self.cell(row.travelPathsFirstHalf), Self.cell(row.travelPathsSecondHalf),
                .init(
                    row.service.sorted { $0.key < $1.key }
                        .map { "\($0.key) \(FigureText.decimal($0.value, 1000))" }.joined(
                            separator: ", ")
                ),
            ])
        }
        return table
    }

    private static func cell(_ slots: [TravelPathSlot.State]) -> TextTable.Cell {
        .init(slots.map(\.rawValue).joined(separator: ", "), slots.last?.style)
    }
}
