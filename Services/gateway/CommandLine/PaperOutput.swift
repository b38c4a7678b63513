import ArgumentParser
import Foundation
import Papers
import Speech
import Terminal

/// The format of papers, and where they are written.
struct PaperOptions: ParsableArguments {
    @Flag(help: "Write HTML instead of text.")
    var html = false
    @Flag(help: "Write a PDF for printing.")
    var pdf = false
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: "The file to write. Default: standard output.", completion: .file())
    var file: String?

    func validate() throws {
        if html, pdf { throw ValidationError("--html and --pdf can't be used together") }
    }

    /// Writes papers.
    ///
    /// - Parameter isJSON: true to print as JSON what was written where.
    func put(_ papers: [Paper], _ printer: Printer, isJSON: Bool = false) throws {
        let isShown = file == nil && !isJSON
        let width = isShown ? printer.out.width ?? 80 : 80
        let isColoured = isShown && printer.out.hasColours
        if pdf {
            try write(try PDFPaper.document(of: papers), printer, isJSON: isJSON)
        } else if html {
            try write(Array(HTMLPaper.page(of: papers).utf8), printer, isJSON: isJSON)
        } else {
            let text = PlainPaper.text(of: papers, width: width, isColoured: isColoured)
            try write(Array(text.utf8), printer, isJSON: isJSON)
        }
    }

    /// Writes bytes to the file, or to standard output.
    func write(_ bytes: [UInt8], _ printer: Printer, isJSON: Bool = false) throws {
        guard let file else {
            if isJSON {
                guard !pdf else {
                    throw Failure(
                        .usage, "a PDF can't be part of JSON", advice: "give a file: -o FILE")
                }
                let text = String(decoding: bytes, as: UTF8.self)
                return try printer.json(.files, [WrittenFile(path: nil, text: text)])
            }
            guard !pdf || !printer.out.isTerminal else {
                throw Failure(
                    .usage, "a PDF can't be shown at the terminal", advice: "give a file: -o FILE")
            }
            return printer.result(bytes: bytes)
        }
        try OutputFile.write(bytes, to: file)
        if isJSON { return try printer.json(.files, [WrittenFile(path: file, text: nil)]) }
        printer.remark("written: \(file)")
    }
}
