import Foundation

/// PDF documents as poppler reads them.
enum Reader {
    /// The text of all pages, with single blanks.
    static func text(_ document: [UInt8]) throws -> String {
        let output = try run("pdftotext", ["-raw", "-enc", "UTF-8"], document) { [$0, "-"] }
        return String(decoding: output, as: UTF8.self).split { $0.isWhitespace }
            .joined(separator: " ")
    }

    /// The greys of the first page, row by row, from 0 for black to 255.
    static func pixels(_ document: [UInt8], perInch: Int) throws -> (rows: [[UInt8]], width: Int) {
        let options = ["-gray", "-r", "\(perInch)", "-f", "1", "-l", "1"]
        let picture = try run("pdftoppm", options, document) { [$0] }
        // A header of three numbers after the mark: width, height, the largest value.
        var numbers: [Int] = []
        var position = 2
        while numbers.count < 3 {
            while !(48...57).contains(picture[position]) { position += 1 }
            var number = 0
            while (48...57).contains(picture[position]) {
                number = number * 10 + Int(picture[position]) - 48
                position += 1
            }
            numbers.append(number)
        }
        let pixels = Array(picture[(position + 1)...])
        let rows = (0..<numbers[1]).map {
            Array(pixels[$0 * numbers[0]..<($0 + 1) * numbers[0]])
        }
        return (rows, numbers[0])
    }

    private static func run(
        _ program: String, _ options: [String], _ document: [UInt8],
        files: (String) -> [String]
    ) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "drawing-\(UUID().uuidString).pdf")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + options + files(file.path)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return Array(bytes)
    }
}
