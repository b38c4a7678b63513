import Messages
import Papers
import Phrases
import ShiftLog
import ShiftPapers

/// A mail with lists of a shift: as text, as HTML, and as a document to print.
struct PaperMail: Sendable {
    /// The request to the notifier.
    let request: MailRequested

    /// The maximum size of an attached document in bytes; a larger one is left out.
    static let mostBytes = 500_000
    /// The maximum size of the text and of the HTML in bytes.
    static let mostText = 180_000

    /// Makes the ordered mail from the state of the shift when it was ordered.
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

    /// Makes the mail that is sent when the papers can't be made, with the reason.
    init(without reason: String, _ order: MailOrder, _ state: ShiftState) {
        let shift = state.shift
        request = MailRequested(
            key: order.key, to: order.to, subject: Self.line("\(shift.siteName), \(shift.date)"),
            text: Words<MailPhrase>(.of(state.language)).say(.noDocument, ["error": reason]) + "\n",
            organisation: shift.organisation)
    }

    /// A subject on one line, cut to the permitted length.
    static func line(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var line = String(String.UnicodeScalarView(visible))
        while line.utf8.count > 250 { line.removeLast() }
        return line
    }
}
