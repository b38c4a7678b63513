import Testing
import Texts

@Suite struct CSVRowTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""),
            ("two\nlines", "\"two\nlines\""), ("two\r\nlines", "\"two\r\nlines\""),
            ("=1+1", "'=1+1"), ("+47", "'+47"), ("-5", "'-5"), ("@me", "'@me"),
            ("\r\n=1", "\"'\r\n=1\""), ("'quoted'", "'quoted'"),
        ])
    func `a cell is quoted if necessary, and never a formula`(_ text: String, _ cell: String) {
        #expect(CSVRow.cell(text) == cell)
        #expect(CSVRow.text(cell.first == "\"" ? text : cell) == text)
    }

    @Test func `a row ends as RFC 4180 has it`() {
        #expect(CSVRow.line(["a", "b;c", ""]) == "a,b;c,\r\n")
    }
}
