import Testing

@testable import HTTPExchange

/// What is left out of scripts and styles.
struct CommentLinesTests {
    private func emptied(_ text: String, of name: String = "a.js") -> String {
        String(decoding: CommentLines.emptied(Array(text.utf8), of: name), as: UTF8.self)
    }

    @Test func `comments become empty lines, and the other lines keep their place`() {
        let script = """
            // What it is for.
            import { a } from "./a.js";

            /**
             * Adds one.
             */
            export const one = (it) => it + 1; // As said.
              /** The rest. */
              const address = "https://steward.example.org"; /* here */
            """
        let rest = """

            import { a } from "./a.js";




            export const one = (it) => it + 1; // As said.

              const address = "https://steward.example.org"; /* here */
            """
        #expect(emptied(script) == rest)
        #expect(emptied("/* All */\na { top: 0 }\n", of: "a.css") == "\na { top: 0 }\n")
    }

    @Test(arguments: [
        "const text = `\n// no comment\n`;\n", "/* open\nlet a = 1;\n",
        "/*\n comment */ let a = 1;\n// b\n", "/* a */ let b = 1;\n", "/*/\nlet a = 1;\n",
    ])
    func `a script stays as it is if it isn't certain what is a comment`(script: String) {
        #expect(emptied(script) == script)
    }

    @Test func `other files stay as they are, and a style has no comments like those of scripts`() {
        for name in ["a.svg", "a.txt", "js"] { #expect(emptied("// a\n", of: name) == "// a\n") }
        #expect(emptied("//a\n", of: "a.css") == "//a\n")
        #expect(CommentLines.emptied([47, 47, 255, 10], of: "a.js") == [47, 47, 255, 10])
    }
}
