/// A small catalogue with the difficulties of real ones.
enum Fixture {
    /// Products by their numbers, as in the search index.
    static let products: [(number: String, iso: String, more: String, facts: [[String]])] = [
        ("1", "12220302", "", [["Totalbredde", "61,25", "cm"], ["Totallengde", "98.1", "cm "]]),
        (
            "2", "12220303", "",
            [
                ["Totalbredde min", "58", "cm"], ["Maks totalbredde", "69,91", "cm"],
                ["Totallengde", "1.150", "mm"],
            ]
        ),
        ("3", "12230601", "", [["Totalbredde", "24.5", "tommer "], ["Totallengde", "1,2", "m"]]),
        (
            "4", "12230303", "",
            [["Totalbredde", "60 til 66", "cm"], ["Totallengde", "ca 150", "cm"]]
        ),
        (
            "5", "18121001", "",
            [["Madrass bredde", "120", "cm"], ["Madrass lengde", "200", "cm"]]
        ),
        (
            "6", "12360301", "",
            [["Understellbredde maks", "101", "cm"], ["Understell bredde", "60", "cm"]]
        ),
        ("7", "12060602", "", [["Totalbredde", "60", "cm"], ["Totalbredde", "62", "cm"]]),
        (
            "8", "18301505", "",
            [
                ["Bredde", "90", "cm"], ["Dybde", "30", "cm"], ["Terskelhøyde min", "1,55", "cm"],
                ["Terkselhøyde maks", "3,55", "cm"],
            ]
        ),
        ("9", "18301002", "", [["Parkeringsdybde (oppslått)", "33,3", "cm"]]),
        ("10", "12220301", "", [["Farge", "Blå", ""]]),
        ("11", "12220302", #""sparePart": true,"#, [["Bredde", "5", "cm"]]),
        ("12", "12220302", #""status": "DELETED","#, []),
        ("13", "12220302", "", [["Setebredde maks", "50", "cm"]]),
        (
            "14", "12220302", "",
            [["Totalbredde", "tre hundre", "cm"], ["Totallengde", "90", "kg"]]
        ),
    ]

    /// One of them as a line of JSON.
    static func line(_ index: Int) -> String {
        let one = products[index]
        let facts = one.facts.map {
            #"{"key": "\#($0[0])", "value": "\#($0[1])", "unit": "\#($0[2])", "type": "N"}"#
        }
        return """
            {"id": "p-\(one.number)", "supplier": {"id": "s", "name": "Hjul & Ramme AS"}, \
            "title": "Serie", "articleName": "Nr. \(one.number)", \(one.more) \
            "hmsArtNr": "10\(one.number)", "supplierRef": "R\(one.number)", "main": true, \
            "isoCategory": "\(one.iso)", "filters": {"totalbreddeCM": 1, "nested": [[{}]]}, \
            "data": [\(facts.joined(separator: ", "))], \
            "attributes": {"text": "\\u00e5 <br/> \\n"}, \
            "updated": "2024-05-0\(1 + index % 9)T10:00:00.123456", "media": []}
            """
    }

    /// All of them as the response to a search.
    static let answer = Array(
        """
        {"took": 3, "timed_out": false, "_shards": {"total": 1},
         "hits": {"total": {"value": 14, "relation": "eq"}, "max_score": 1.0, "hits": [
        \(products.indices.map { #"{"_index": "p", "_id": "x", "_source": \#(line($0))}"# }
            .joined(separator: ",\n"))
        ]}, "aggregations": {"hits": []}}
        """.utf8)
}
