import LocalTime
import Messages
import ServiceRuntime
import ShiftLog

/// The rules for beginning a shift.
extension Shift {
    /// The maximum size in bytes of all lists of a shift, so that they fit into one message.
    static let mostBytes = 768 << 10
    /// The maximum planned length of a shift, in milliseconds: 16 hours.
    static let longest: Int64 = 16 * 3_600_000

    /// Begins a shift.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - id: the id of the shift.
    ///   - row: the site.
    ///   - manager: the shift's manager.
    ///   - templates: the templates in use at the site, in order.
    ///   - settings: the settings of the site.
    ///   - time: when it begins, in milliseconds since 1970.
    /// - Throws: `Refusal` when the part of the day isn't known, there is no list for it, or it
    ///   would end before it begins.
    static func begin(
        _ command: StartShift, id: String, at row: SiteRow, by manager: ShiftLead,
        _ templates: [TemplateRow], _ settings: SiteSettings, time: Int64
    ) throws(Refusal) -> Shift {
        let dayPart = DayPart(rawValue: Int32(clamping: command.dayPart))
        guard dayPart == .day || dayPart == .evening else {
            throw Refusal.invalid("a shift is a day shift or an evening shift")
                .because(.shiftPart)
        }
        guard command.until == 0 || (1...longest).contains(command.until - time) else {
            throw .invalid(
                "a shift ends after it begins, at most \(longest / 3_600_000) hours later")
        }
        guard let localTime = LocalTime(zone: row.site.timeZone) else {
            throw Refusal.conflict(
                "the time zone \(row.site.timeZone) of “\(row.site.name)” isn't known on this "
                    + "machine; install tzdata"
            ).because(.zoneMissing, of: row.site.timeZone)
        }
        let reading = localTime.reading(at: time)
        let lists = templates.filter {
            ($0.template.dayParts.isEmpty || $0.template.dayParts.contains(dayPart))
                && $0.template.isUsed(onDay: reading.day)
        }
        guard !lists.isEmpty else {
            throw Refusal.conflict(
                "there is no checklist for this part of the day and weekday at "
                    + "“\(row.site.name)”; import one with steward template import"
            ).because(.checklistNone, of: row.site.name)
        }
        let pinned = lists.map { list in
            let body = list.template.packed()
            return (size: body.count, list: PinnedList(list.template, digest: body))
        }
        let size = pinned.reduce(0) { $0 + $1.size }
        guard size <= mostBytes else {
            throw Refusal.conflict(
                "the checklists have \(size) bytes together, and a shift works with at most "
                    + "\(mostBytes); shorten or remove some"
            ).because(.checklistLarge, ["most": "\(mostBytes)"])
        }
        return Shift(
            id: id, organisation: row.organisation, site: row.site.id, siteName: row.site.name,
            manager: manager.account, managerName: manager.name, dayPart: command.dayPart,
            date: reading.date, timeZone: row.site.timeZone, started: time,
            lists: pinned.map(\.list), settings: settings.packed(),
            firstTravelPath: ShiftSchedule.firstTravelPath(
                started: time, localTime, dayPart: dayPart, settings),
            managerAccountName: manager.accountName, areas: row.areas, until: command.until)
    }
}

/// Who manages a shift.
struct ShiftLead: Hashable {
    /// The id of the account.
    let account: String
    /// The name of the account.
    let accountName: String
    /// The name for people.
    let name: String
}

extension PinnedList {
    /// Pins a version of a template by the digest of its packed form.
    init(_ template: ChecklistTemplate, digest body: [UInt8]) {
        self.init(
            template: template.id, version: template.version, name: template.name,
            kind: UInt32(clamping: template.kind.rawValue), digest: ArchiveChain.digest(body))
    }
}
