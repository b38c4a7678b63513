import FloorPlan
import Messages
import Papers

/// The report on whether a home is accessible: the drawing, the findings with their clauses, and
/// what they mean for the person's chair.
package struct PlanReport: Sendable {
    private let paper: Paper

    /// A report of a check.
    ///
    /// - Parameters:
    ///   - check: the findings, their plan, and where the chair gets to.
    ///   - language: ISO 639-1; the findings should be in the same.
    ///   - date: as it is to be written.
    ///   - unit: of the measures in the drawing.
    /// - Throws: when the plan can't be drawn.
    package init(
        _ plan: FloorPlan, _ details: PlanDetails, check: PlanCheck, language: String = "en",
        date: String = "", unit: PictureOptions.Unit = .centimetres
    ) throws(Refusal) {
        paper = Paper(
            title: "", site: "", occasion: "", summary: "", size: .hand, language: language,
            dated: "", blocks: [])
    }

    /// As one HTML page that needs nothing else; the drawing is in it as SVG.
    package func html() -> [UInt8] { Array(HTMLPaper.page(of: [paper]).utf8) }

    /// As a PDF document; the drawing has a page of its own, to scale.
    ///
    /// - Throws: when the libraries can't draw.
    package func pdf() throws(PaperError) -> [UInt8] { try PDFPaper.document(of: [paper]) }
}
