import Messages
import Papers
import Phrases
import ShiftLog
import ShiftPapers

/// A mail with lists of a shift: as text, as a page, and as a document to print.
struct PaperMail: Sendable {
    /// What the notifier is asked for.
    let request: MailRequested

    /// Most bytes of a document that is mailed; the text and the page have to do without it.
    static let mostBytes = 500_000
    /// Most bytes of the text and of the page.
    static let mostText = 180_000

    /// The mail that was ordered, of the shift as it was then.
    init(_ made: (order: MailOrder, state: ShiftState)) {
        let (order, state) = made
        let papers =
            order.area.isEmpty
            ? state.lists.templates.filter { $0.kind == .preShift }
                .compactMap { state.listPaper($0.id) }
            : [state.todoPaper(area: order.area)]
        let words = Words<MailPhrase>(.of(state.language))
        let heading = papers.map(\.title).joined(separator: ", ")
        let shift = state.shift
        var text = PlainPaper.text(of: papers, width: 72, isColoured: false)
        var attachments: [MailAttachment] = []
        do {
            let document = try PDFPaper.document(of: papers)
            if document.count <= Self.mostBytes {
                let name = words.say(order.area.isEmpty ? .listsFile : .todoFile)
                attachments = [
                    MailAttachment(
                        name: "\(shift.date)-\(name).pdf", contentType: "application/pdf",
                        data: document)
                ]
            }
        } catch { text = words.say(.noDocument, ["error": "\(error)"]) + "\n\n" + text }
        let page = HTMLPaper.page(of: papers)
        request = MailRequested(
            key: order.key, to: order.to,
            subject: Self.line("\(shift.siteName), \(shift.date): \(heading)"),
            text: text.utf8.count <= Self.mostText
                ? text : words.say(.tooLong),
            html: page.utf8.count <= Self.mostText ? page : "", attachments: attachments,
            organisation: shift.organisation)
    }

    /// What is sent in its place when no paper can be made of it, and why.
    init(without reason: String, _ order: MailOrder, _ state: ShiftState) {
        let shift = state.shift
        request = MailRequested(
            key: order.key, to: order.to, subject: Self.line("\(shift.siteName), \(shift.date)"),
            text: Words<MailPhrase>(.of(state.language)).say(.noDocument, ["error": reason]) + "\n",
            organisation: shift.organisation)
    }

    /// A subject of one line, as long as one may be.
    private static func line(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var line = String(String.UnicodeScalarView(visible))
        while line.utf8.count > 250 { line.removeLast() }
        return line
    }
}
