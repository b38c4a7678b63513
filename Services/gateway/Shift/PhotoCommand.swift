import ArgumentParser
import Bus
import Checksum
import Foundation
import Messages
import Pictures
import ShiftClient
import ShiftLog
import Speech
import Terminal

/// Photos that are given with an answer or a to-do.
struct PhotoOptions: ParsableArguments {
    @Option(
        name: .customLong("photo"),
        help: ArgumentHelp(
            "A photo, a file in PNG or JPEG; up to \(Photo.mostTogether) may be given.",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    func validate() throws {
        guard files.count <= Photo.mostTogether else {
            throw ValidationError("give at most \(Photo.mostTogether) photos together")
        }
    }

    /// The photos, prepared so that they contain only what is visible.
    ///
    /// - Throws: ``Failure`` for a file that can't be read or isn't a picture.
    func prepared() throws -> [PreparedPhoto] { try files.map(PreparedPhoto.init(preparing:)) }
}

extension PreparedPhoto {
    /// Prepares a photo from a file.
    ///
    /// - Throws: ``Failure`` for a file that can't be read or isn't a picture.
    init(preparing path: String) throws {
        let bytes = try InputFile.bytes(path, upTo: PictureLimits.record.fileBytes)
        do throws(PictureError) {
            let picture = try Picture(preparing: bytes, limits: .record)
            self.init(Photo(of: picture), picture.bytes)
        } catch { throw Failure(.refused, "\(path.printable): \(error)") }
    }
}

extension Photo {
    fileprivate init(of picture: Picture) {
        self.init(
            checksum: picture.checksum, size: UInt32(clamping: picture.bytes.count),
            width: UInt32(clamping: picture.width), height: UInt32(clamping: picture.height))
    }
}

/// Where photos are saved.
struct PhotoFolderOptions: ParsableArguments {
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: "A folder, in which a file is written for each photo.", completion: .directory)
    var folder: String?

    /// A photo, for programs.
    private struct Shown: Encodable {
        let sha256: String
        let bytes: UInt32
        let width: UInt32
        let height: UInt32
        /// The file that was written; absent if none was.
        let path: String?
    }

    /// Lists photos, or saves them if a folder was named.
    ///
    /// - Parameter read: the file of a photo.
    func put(
        _ photos: [Photo], _ printer: Printer, isJSON: Bool, read: (Photo) throws -> [UInt8]
    ) throws {
        if folder != nil { Printer.outlivesReaders = true }
        var known: Set<[UInt8]> = []
        var shown: [Shown] = []
        for photo in photos where known.insert(photo.checksum).inserted {
            let path = try folder.map { try save(photo, in: $0, try read(photo)) }
            shown.append(
                Shown(
                    sha256: photo.digits, bytes: photo.size, width: photo.width,
                    height: photo.height, path: path))
            if !isJSON {
                printer.result(
                    path.map { "written: \($0.printable)" }
                        ?? "\(photo.name): \(photo.width) x \(photo.height) pixels, "
                        + "\(photo.size) bytes")
            }
        }
        if isJSON { return try printer.json(.photos, shown) }
        if shown.isEmpty { printer.remark("there are no photos") }
    }

    /// Saves a photo, if it is what its shift names.
    private func save(_ photo: Photo, in folder: String, _ file: [UInt8]) throws -> String {
        guard Checksum.of(file) == photo.checksum, let format = PictureFormat(file) else {
            throw Failure(
                .broken, "the \(photo.name) isn't what its shift names; it was altered",
                advice: "restore a backup that has it")
        }
        let name = "photo-\(photo.digits.prefix(12)).\(format == .png ? "png" : "jpg")"
        let path = "\(folder)/\(name)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch { throw Failure(.file, "\(path) can't be written: \(error.reason)") }
        try OutputFile.write(file, to: path)
        return path
    }
}

extension ChecklistCommand {
    /// `steward checklist photo`
    struct ShowPhoto: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photo", abstract: "Lists the photos of a task, or saves them.")

        @Argument(
            help: "The task: its number, its id, or words of its title in quotes.",
            completion: Offered.tasks)
        var task: String
        @OptionGroup var folder: PhotoFolderOptions
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let state = desk.state
            let task = try ShiftNames(state).task(task)
            let answer = state.result(of: task.key)?.shown?.answer
            try folder.put(
                answer?.photos ?? [], session.printer, isJSON: output.json, read: desk.file)
        }
    }
}

extension TodoCommand {
    /// `steward todo photo`
    struct ShowPhoto: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photo", abstract: "Lists the photos of a to-do, or saves them.")

        @Argument(help: "The to-do: its number, its id, or words of its title in quotes.")
        var todo: String
        @OptionGroup var folder: PhotoFolderOptions
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            let todo = try ShiftNames(desk.state).todo(todo)
            try folder.put(
                todo.photos, session.printer, isJSON: output.json, read: desk.file)
        }
    }
}

extension ArchiveCommand {
    /// `steward archive photos`
    struct Photos: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photos",
            abstract: "Lists the photos of a shift, or saves them.",
            discussion: """
                Each file is named by the beginning of its SHA-256, as in the shift's papers. A \
                photo that was altered is not saved.
                """)

        @Argument(help: "The shift's id, or its unique beginning.")
        var shift: String
        @OptionGroup var folder: PhotoFolderOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let state = try ShiftState.read(shift, session)
            let client = try session.client(.checklist)
            try folder.put(state.photos, session.printer, isJSON: output.json) {
                try client.file(of: $0, shift: state.shift.id)
            }
        }
    }
}
