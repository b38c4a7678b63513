import FloorPlan
import Foundation
import LocalTime
import Messages
import Phrases
import PlanDrawing
import PlanWriting
import ServiceRuntime

/// A mail with a plan in the requested formats.
struct PlanMail: Sendable {
    let survey: PlanSurvey
    /// Everything in the plan, in drawing order.
    let items: [PlanItem]
    let command: SendPlan
    /// The key of the mail request.
    let key: String
    /// The date on the attachments, as text.
    let date: String

    /// The formats of attachments.
    static let formats = ["nav", "pdf", "png", "svg", "report"]
    /// The maximum number of recipients.
    static let mostReceivers = 20
    /// The maximum size of all attachments, in bytes; the rest is for the text and the headers.
    static let mostBytes = MailRequested.largestSize - 20_000

    /// Refuses a mail that can't be sent, before anything is drawn.
    static func validate(_ command: SendPlan) throws(Refusal) {
        guard (1...mostReceivers).contains(command.to.count) else {
            throw .invalid("name 1 to \(mostReceivers) addresses, not \(command.to.count)")
        }
        for address in command.to { try MailRequested.validate(address: address) }
        guard Set(command.to).count == command.to.count else {
            throw .invalid("a recipient of the mail is named twice")
        }
        guard !command.formats.isEmpty, command.formats.allSatisfy(formats.contains),
            Set(command.formats).count == command.formats.count
        else {
            throw .invalid("say what to attach, each once: \(formats.joined(separator: ", "))")
        }
        try validateText(command.text, "the text of the mail", 0...5_000)
        _ = try Language.required(command.language)
        guard command.timeZone.isEmpty || LocalTime.isKnown(command.timeZone) else {
            let zone = command.timeZone.prefix(bytes: 100)
            throw .invalid("“\(zone)” isn't a time zone; give one such as Europe/Oslo")
                .because(.zoneUnknown, of: zone)
        }
    }

    /// Makes the mail.
    /// - Throws: a refusal with the size of each attachment if they are too large for a mail.
    func request() throws -> MailRequested {
        let files = try command.formats.map(attachment)
        guard files.reduce(0, { $0 + $1.data.count }) <= Self.mostBytes else {
            let sizes = zip(command.formats, files)
                .map { "\($0) has \(($1.data.count + 999) / 1_000) kB" }.joined(separator: ", ")
            throw Refusal(
                code: .tooLarge,
                message: "a mail holds \(Self.mostBytes / 1_000) kB: \(sizes); send fewer of them, "
                    + "or export the plan and pass it on another way")
        }
        let names = files.map(\.name).joined(separator: ", ")
        var text = command.text.isEmpty ? "" : command.text + "\n\n"
        text += words.say(.attached, ["files": names]) + "\n"
        if let native = files.first(where: { $0.name.hasSuffix(".nav") }) {
            let command = "steward plan import '\(native.name)'"
            text += words.say(.takeIn, ["command": command]) + "\n"
        }
        return MailRequested(
            key: key, to: command.to, subject: subject, text: text,
            attachments: files, organisation: survey.plan.organisation)
    }

    private var details: PlanDetails { survey.plan.details ?? PlanDetails() }
    private var language: String { command.language.isEmpty ? "en" : command.language }

    /// The subject: one line, cut to the maximum length.
    private var subject: String {
        var name = details.name
        while name.utf8.count > 200 { name.removeLast() }
        return words.say(.plan, ["plan": name])
    }

    private func attachment(_ format: String) throws -> MailAttachment {
        let (end, type, data) = try file(format)
        return MailAttachment(name: stem + end, contentType: type, data: data)
    }

    /// An attachment: the end of its name, its type, and its content.
    private func file(_ format: String) throws -> (end: String, type: String, data: [UInt8]) {
        switch format {
        case "nav": return (".nav", "application/xml", WrittenPlan.native(details, items))
        case "pdf": return (".pdf", "application/pdf", try picture().pdf())
        case "png": return (".png", "image/png", try picture().png())
        case "svg": return (".svg", "image/svg+xml", try picture().svg())
        default:
            let check = try survey.check(CheckPlan(language: language, repairs: true))
            let hasMovable = survey.drawing.elements.values.contains { $0.aidRole == .movable }
            let cleared =
                hasMovable
                ? try survey.check(CheckPlan(language: language, withoutMovable: true)) : nil
            let report = try PlanReport(
                survey.drawing, details, check: check, cleared: cleared, language: language,
                date: date)
            return ("-report.pdf", "application/pdf", try report.pdf())
        }
    }

    private func picture() throws(Refusal) -> PlanPicture {
        try PlanPicture(
            survey.drawing, details,
            options: PictureOptions(
                language: language, date: date, revision: survey.plan.revision))
    }

    /// The plan's name for a file: letters, digits and dashes.
    private var stem: String {
        let words = details.name.split { !$0.isLetter && !$0.isNumber }
        let stem = words.joined(separator: "-")
        // A single character may be long.
        var short = String(stem.prefix(60))
        while short.utf8.count > 180 { short.removeLast() }
        return short.isEmpty ? "plan" : short
    }

    private var words: Words<MailPhrase> { Words(.of(language)) }
}
