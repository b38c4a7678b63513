import FloorPlan
import Messages
import Papers
import Phrases

/// The report on whether a home is accessible: the drawing, the findings with their clauses, and
/// what they mean for the person's chair.
package struct PlanReport: Sendable {
    private let paper: Paper

    /// A report of a check.
    ///
    /// - Parameters:
    ///   - check: the findings, their plan, and where the chair can go.
    ///   - cleared: the same without movable aids; nil if there are none.
    ///   - language: ISO 639-1; the findings should be in the same.
    ///   - date: the date as it is printed; empty for none.
    ///   - unit: the unit of the measures in the drawing.
    /// - Throws: if the plan can't be drawn.
    package init(
        _ plan: FloorPlan, _ details: PlanDetails, check: PlanCheck, cleared: PlanCheck? = nil,
        language: String = "en", date: String = "", unit: PictureOptions.Unit = .centimetres
    ) throws(Refusal) {
        let words = Words<DrawingPhrase>(.of(language))
        let report = Words<ReportPhrase>(words.language)
        let content = ReportContent(
            plan: plan, details: details, check: check, cleared: cleared, words: words)
        let revision = check.plan?.revision ?? 0
        let picture = try PlanPicture(
            plan, details,
            options: PictureOptions(
                scale: .detailed, paper: .a4, unit: unit, language: language, date: date,
                revision: revision),
            findings: check.findings, reach: check.reach)
        let client = details.client.written
        let author = details.author.written
        let occasion = [
            client.isEmpty ? "" : words.say(.client, ["name": client]),
            author.isEmpty ? "" : words.say(.author, ["name": author]), date.written,
            revision > 0 ? report.say(.revision, ["revision": "\(revision)"]) : "",
        ]
        let after = try content.after()
        paper = Paper(
            title: report.say(.title, ["plan": details.name.written]),
            site: details.address.written,
            occasion: occasion.filter { !$0.isEmpty }.joined(separator: " · "),
            summary: content.summary, size: .hand, language: language, dated: "",
            blocks: content.opening + [.drawing(picture.drawing)] + after + content.rest)
    }

    /// The report as one HTML page that needs nothing else; it contains the drawing as SVG.
    package func html() -> [UInt8] { Array(HTMLPaper.page(of: [paper]).utf8) }

    /// The report as a PDF document on A4. The drawing has a page of its own, to scale.
    ///
    /// - Throws: if the libraries can't draw.
    package func pdf() throws(PaperError) -> [UInt8] { try PDFPaper.document(of: [paper]) }
}
