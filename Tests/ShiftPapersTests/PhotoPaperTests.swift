import Foundation
import Messages
import Pictures
import ShiftLog
import Testing

@testable import Papers
@testable import ShiftPapers

/// Photos on the papers of a shift. `PAPER_PICTURES=folder` writes them there.
struct PhotoPaperTests {
    private static let folder = ProcessInfo.processInfo.environment["PAPER_PICTURES"]

    /// A JPEG of one colour that gets lighter to the right, with a black frame and a little noise.
    private static func picture(_ number: Int, width: Int, height: Int) throws -> Picture {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isFrame = min(x, y, width - 1 - x, height - 1 - y) < 6
                let noise = ((x &* 7_919) ^ (y &* 104_729) ^ (x &* y)) & 7
                let light = (isFrame ? 0 : 90 + 150 * x / width) + noise
                pixels += [
                    UInt8(light), UInt8(isFrame ? 0 : (number * 67) % 200),
                    UInt8((isFrame ? 0 : 90 + 150 * y / height) + noise), 255,
                ]
            }
        }
        let raster = try #require(Raster(width: width, height: height, pixels: pixels))
        let limits = PictureLimits(
            fileBytes: .max, pixels: .max, edge: 1_600, preparedBytes: 20_000)
        return try Picture(preparing: raster.png(), limits: limits, preferring: .jpeg)
    }

    private static func photo(_ picture: Picture) -> Photo {
        Photo(
            checksum: picture.checksum, size: UInt32(picture.bytes.count),
            width: UInt32(picture.width), height: UInt32(picture.height))
    }

    /// A shift with photos of a delivery, and with an issue that has some.
    private static func shift(
        language: String, answers: Int, reports: Int = 0
    ) throws -> (state: ShiftState, photos: PaperPhotos) {
        let list = ChecklistTemplate(
            id: "goods", name: "Goods in", kind: .preShift,
            sections: [
                ChecklistSection(
                    id: "section", name: "Cold and freezer rooms",
                    tasks: (0..<(answers + 4) / 5).map { number in
                        ChecklistTask(
                            id: "t\(number)", title: "Delivery \(number + 1) as it came",
                            area: "kitchen", priority: "immediate",
                            answer: AnswerRule(kind: .photo))
                    })
            ], version: 1)
        var printed = try PrintedShift([list], language: language)
        var photos: PaperPhotos = [:]
        func take(_ numbers: Range<Int>) throws -> [Photo] {
            try numbers.map { number in
                let isUpright = number % 3 == 1
                let picture = try picture(
                    number, width: isUpright ? 180 : 240, height: isUpright ? 240 : 180)
                photos[picture.checksum] = picture
                return photo(picture)
            }
        }
        for task in 0..<(answers + 4) / 5 {
            let taken = try take(task * 5..<min(answers, task * 5 + 5))
            printed.add(
                Int64(10 + task),
                .mark(
                    MarkTask(
                        list: "goods", task: "t\(task)", finding: .ok,
                        answer: Answer(value: .photos(Photos(photos: taken))))))
        }
        if reports > 0 {
            let taken = try take(1_000..<1_000 + reports)
            printed.add(
                90,
                .addTodo(
                    AddTodo(
                        title: "The glass of the display fridge is cracked, and the door no longer "
                            + "closes by itself",
                        area: "kitchen", priority: "immediate", photos: taken)))
        }
        return (printed.state, photos)
    }

    private static func images(_ document: [UInt8]) -> Int {
        var (count, rest) = (0, document[...])
        let name = Array("/DCTDecode".utf8)
        while let found = rest.firstRange(of: name) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }

    @Test(
        arguments: [
            ("en", "Photos", "photo"), ("nb", "Bilder", "bilde"), ("sv", "Foton", "foto"),
        ])
    func `photos are shown on lists and to-do lists, with what, when, who and their names`(
        language: String, heading: String, name: String
    ) throws {
        let (state, photos) = try Self.shift(language: language, answers: 7, reports: 2)
        let list = try #require(state.listPaper("goods", photos: photos))
        let papers = [list, state.todoPaper(area: "kitchen", photos: photos)]
        let document = try PDFPaper.document(of: papers)
        #expect(Self.images(document) == 9)
        let read = try PaperTests.read(document)
        #expect(read.pages == 2)
        #expect(read.text.contains(heading))
        let digits = try #require(state.photosOfLists.first).digits.prefix(12)
        #expect(PaperTests.words(read.text).contains("09:10 Åse · \(name) \(digits)"))
        let page = HTMLPaper.page(of: papers)
        #expect(page.components(separatedBy: "<img ").count - 1 == 9)
        #expect(page.contains("img-src data:"))
        let handover = state.handoverPaper(photos: photos)
        #expect(Self.images(try PDFPaper.document(of: [handover])) == 2)
        // In plain text they are named.
        let text = PlainPaper.text(of: papers, width: 400)
        #expect(photos.keys.allSatisfy { text.contains(Self.name(of: $0, name)) })
        if let folder = Self.folder {
            try Data(document).write(to: URL(filePath: "\(folder)/photos-\(language).pdf"))
            try Data(page.utf8).write(to: URL(filePath: "\(folder)/photos-\(language).html"))
        }
    }

    private static func name(of checksum: [UInt8], _ word: String) -> String {
        "\(word) \(Photo(checksum: checksum).digits.prefix(12))"
    }

    @Test func `twelve photos fill a page, and sixty are hardly larger than their files`() throws {
        let (state, photos) = try Self.shift(language: "en", answers: 60)
        let list = try #require(state.listPaper("goods", photos: photos))
        let document = try PDFPaper.document(of: [list])
        #expect(Self.images(document) == 60)
        let without = try PDFPaper.document(of: [try #require(state.listPaper("goods"))])
        let pages = try PaperTests.read(document).pages - PaperTests.read(without).pages
        #expect((5...6).contains(pages))
        let files = photos.values.reduce(0) { $0 + $1.bytes.count }
        #expect(document.count - without.count < files + 60 * 1_200)
    }

    @Test func `a missing photo is named, and a file that can't be decoded isn't drawn`() throws {
        var (state, photos) = try Self.shift(language: "en", answers: 2)
        let named = try #require(state.listPaper("goods"))
        #expect(!named.blocks.contains(.heading("Photos")))
        let checksum = try #require(state.photosOfLists.first).checksum
        var bytes = try #require(photos[checksum]).bytes
        // Break the tables with which its pixels are coded.
        let table = try #require(bytes.firstRange(of: [0xFF, 0xC4]))
        for at in table.upperBound + 3..<table.upperBound + 19 { bytes[at] = 255 }
        photos[checksum] = try Picture(prepared: bytes)
        let list = try #require(state.listPaper("goods", photos: photos))
        #expect(Self.images(try PDFPaper.document(of: [list])) == 1)
    }
}
