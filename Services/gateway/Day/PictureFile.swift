import ArgumentParser
import Foundation
import Messages
import Pictures
import Speech

/// A picture that a person adds to an action or a routine.
struct PictureFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A picture of your own: a file in PNG or JPEG.", valueName: "file"),
        completion: .file())
    var picture: String?
    @Option(
        help: ArgumentHelp(
            "Whose picture it is and how it may be used, such as “my own photo”; it is kept with "
                + "the picture.", valueName: "text"))
    var licence: String?

    func validate() throws {
        guard (picture == nil) == (licence == nil) else {
            throw ValidationError(
                "--picture and --licence go together: say whose picture it is, such as --licence "
                    + "'my own photo'")
        }
    }

    /// The picture, prepared so that it contains only what is visible; nil when none was given.
    ///
    /// - Throws: ``Failure`` for a file that can't be read or isn't such a picture.
    func prepared() throws -> PersonalPicture? {
        guard let picture, let licence else { return nil }
        let prepared = try Self.prepare(picture)
        return PersonalPicture(
            checksum: prepared.checksum, file: prepared.bytes, licence: licence)
    }

    private static func prepare(_ path: String) throws -> Picture {
        let bytes = try InputFile.bytes(path, upTo: PictureLimits.personal.fileBytes)
        do throws(PictureError) { return try Picture(preparing: bytes) } catch {
            throw Failure(.refused, "\(path.printable): \(error)")
        }
    }
}

extension Session {
    /// A person's picture.
    ///
    /// - Parameters:
    ///   - checksum: the SHA-256 of its file.
    ///   - person: an account's id; empty for the person who asks.
    func picture(_ checksum: [UInt8], of person: String) throws -> PersonalPicture {
        try ask(
            .routine, ReadPicture(person: person, checksum: checksum), for: PersonalPicture.self)
    }
}

extension ActionCommand {
    /// `steward action picture`
    struct ShowPicture: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "picture",
            abstract: "Shows whose picture an action of your own has, or writes it to a file.")

        @Argument(help: "The action: its name or its id.")
        var name: String
        @Option(
            name: [.customLong("output"), .customShort("o")], help: "The file that is written.",
            completion: .file())
        var file: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        /// A picture, for programs.
        struct Shown: Encodable {
            let format: String
            let width: Int
            let height: Int
            let bytes: Int
            let licence: String
        }

        func run() throws {
            let session = try Session()
            let account = try person.account(session)
            let own = try session.ask(
                .routine, ListOwnActions(person: account), for: OwnActions.self
            ).actions
            let choices = own.enumerated().map {
                Choice(ids: [$1.id], title: $1.action?.title(in: .english) ?? "", number: $0 + 1)
            }
            let chosen = try Choice.find(name, among: choices, what: "action", isNumbered: false)
            let found = own[chosen.number - 1]
            guard let checksum = found.action?.picture, !checksum.isEmpty else {
                throw Failure(
                    .refused, "“\(name.printable)” has no picture",
                    advice: "add one: steward action add NAME --picture FILE --licence TEXT")
            }
            let kept = try session.picture(checksum, of: account)
            let picture: Picture
            do { picture = try Picture(prepared: kept.file) } catch {
                throw Failure(.broken, "the picture can't be read: \(error)")
            }
            if let file {
                return try PlanOutput.write(
                    picture.bytes, to: file, session.printer, isJSON: output.json)
            }
            let shown = Shown(
                format: "\(picture.format)", width: picture.width, height: picture.height,
                bytes: picture.bytes.count, licence: kept.licence)
            if output.json { return try session.printer.json(.pictures, [shown]) }
            session.printer.result(
                "\(shown.format), \(shown.width) x \(shown.height) pixels, \(shown.bytes) bytes")
            session.printer.result("licence: \(shown.licence.printable)")
        }
    }
}
