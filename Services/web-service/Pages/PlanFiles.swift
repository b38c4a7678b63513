import FloorPlan
import HTTPExchange
import Messages
import Papers
import Phrases
import PlanDrawing
import PlanWriting
import ServiceRuntime
import Speech

/// The files of a plan: its picture for the page, and what the command line exports.
enum PlanFileKind: String, Sendable {
    /// The picture that the page shows: without findings, which the page marks itself.
    case drawing = "drawing.svg"
    case svg = "plan.svg"
    case png = "plan.png"
    case pdf = "plan.pdf"
    case native = "plan.nav"
    case report = "report.pdf"

    /// True for files in which findings are marked.
    var shows: Bool { self == .svg || self == .png || self == .pdf }
    /// True for files that may show where the chair can go.
    var reaches: Bool { shows || self == .drawing }

    var ending: String { String(rawValue.split(separator: ".").last ?? "") }

    fileprivate var type: String {
        switch self {
        case .drawing, .svg: "image/svg+xml"
        case .png: "image/png"
        case .pdf, .report: "application/pdf"
        case .native: "application/octet-stream"
        }
    }
}

/// A file of a plan in progress, on the thread of ``DrawingTable``.
struct PlanFile: Sendable {
    let kind: PlanFileKind
    let read: PlanRead
    let wish: PlanWish
    let language: Language
    /// Today, and the day of the plan's last change, as drawings show them.
    let date: String
    let changedOn: String
    var check = PlanCheck()
    var reach: PlanReach?
    /// The revision that the address asks for, and when it was made; 0 for none.
    var wanted: UInt64 = 0
    var wantedChange: Int64 = 0
    /// The language that the address asks for.
    var wantedLanguage = ""

    private var details: PlanDetails { read.plan.details ?? PlanDetails() }

    /// The response with the file.
    ///
    /// - Throws: `Refusal` if it can't be drawn, `PaperError` if the libraries fail.
    func response(_ table: DrawingTable) throws -> Response {
        var headers: [(name: String, value: String)] = [
            ("Content-Type", kind.type),
            // What people drew is never served as a page.
            ("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'"),
        ]
        if kind == .drawing {
            // The same revision with the same time is always the same picture in a language.
            // Logging out clears the cache.
            let isSame =
                wanted == read.plan.revision && wantedChange == read.plan.changed
                && wantedLanguage == language.rawValue
            headers.append(("Cache-Control", isSame ? "private, max-age=86400" : "no-store"))
            // Someone else has another cookie.
            headers.append(("Vary", "Cookie"))
        } else {
            headers.append(("Cache-Control", "no-store"))
            headers.append(
                ("Content-Disposition", "attachment; filename=\"\(name).\(kind.ending)\""))
        }
        return Response(.ok, headers, body: try bytes(table))
    }

    private func bytes(_ table: DrawingTable) throws -> [UInt8] {
        switch kind {
        case .drawing:
            return try table.picture(
                wish.order(read.plan, language, changedOn: changedOn), FloorPlan(read.items),
                details, reach
            ).svg()
        case .native: return WrittenPlan.native(details, FloorPlan(read.items).items)
        case .report:
            return try PlanReport(
                FloorPlan(read.items), details, check: check, language: language.rawValue,
                date: date
            ).pdf()
        case .svg, .png, .pdf: break
        }
        let options = PictureOptions(
            dimensions: wish.dimensions, labels: wish.labels, corners: wish.corners,
            language: language.rawValue, date: date, revision: read.plan.revision)
        let picture = try PlanPicture(
            FloorPlan(read.items), details, options: options, findings: check.findings,
            reach: reach)
        switch kind {
        case .png: return try picture.png()
        case .pdf: return try picture.pdf()
        default: return picture.svg()
        }
    }

    /// The plan's name in letters that every file system allows.
    private var name: String {
        let plain = details.name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = String(plain.prefix(60)).split(separator: "-").joined(separator: "-")
        return name.isEmpty ? "plan" : name
    }
}
