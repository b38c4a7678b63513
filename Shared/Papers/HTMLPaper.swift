import Foundation
import Pictures

/// Makes one self-contained HTML page of papers: no script, image or font is fetched.
package enum HTMLPaper {
    /// The page, in UTF-8. Each paper starts on a new sheet of A4 when it is printed.
    package static func page(of papers: [Paper]) -> String {
        let titles = papers.map { "\($0.title) – \($0.site)" }.joined(separator: "; ")
        return """
            <!DOCTYPE html>
            <html lang="\(escaped(papers.first?.language ?? "en"))">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(titles))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            \(papers.map(section).joined())</body>
            </html>

            """
    }

    private static func section(_ paper: Paper) -> String {
        var html = "<section class=\"\(paper.size == .wall ? "wall" : "hand")\">\n<header>\n"
        html += element("h1", paper.title)
        html += element("p", paper.site, "site")
        html += element("p", paper.occasion, "occasion")
        html += element("p", paper.summary, "summary")
        html += "</header>\n"
        var isListOpen = false
        for block in paper.blocks {
            if case .item = block {
                if !isListOpen { html += "<ul>\n" }
                isListOpen = true
            } else if isListOpen {
                html += "</ul>\n"
                isListOpen = false
            }
            switch block {
            case .heading(let heading): html += element("h2", heading)
            case .item(let item): html += self.item(item)
            case .table(let table): html += self.table(table)
            case .remark(let remark): html += element("p", remark, "remark")
            case .paragraph(let text): html += element("p", text, "paragraph")
            case .drawing(let drawing):
                html += "<figure>\n\(drawing.svg(isAlone: false))</figure>\n"
            case .photos(let photos):
                html += "<div class=\"photos\">\n\(photos.map(photo).joined())</div>\n"
            }
        }
        return html + (isListOpen ? "</ul>\n" : "") + "</section>\n"
    }

    private static func photo(_ photo: Paper.Photo) -> String {
        let (picture, title) = (photo.picture, photo.title)
        let data = Data(picture.bytes).base64EncodedString()
        return "<figure><img alt=\"\(escaped(title))\" width=\"\(picture.width)\" "
            + "height=\"\(picture.height)\" src=\"data:image/\(picture.format.rawValue);base64,"
            + "\(data)\"><figcaption>\n" + element("p", title, "title")
            + element("p", photo.detail, "detail") + "</figcaption></figure>\n"
    }

    private static func item(_ item: Paper.Item) -> String {
        let general = item.isGeneral ? " general" : ""
        let sign = item.sign == .open ? "&nbsp;" : item.sign.character
        return "<li class=\"\(item.sign.rawValue)\(general) d\(min(item.depth, 4))\">"
            + "<span class=\"box\"><span class=\"sign\">\(sign)</span></span><div>\n"
            + element("p", item.title, "title") + element("p", item.detail, "detail")
            + item.notes.map { element("p", $0, "note") }.joined() + "</div></li>\n"
    }

    private static func table(_ table: Paper.Table) -> String {
        func row(_ cells: [String], _ name: String, _ style: String) -> String {
            let html = zip(table.columns, cells).map { column, cell in
                "<\(name)\(column.isNumber ? " class=\"number\"" : "")>\(escaped(cell))</\(name)>"
            }
            return "<tr\(style)>\(html.joined())</tr>\n"
        }
        let last = table.hasTotal ? table.rows.count - 1 : nil
        return "<table>\n<thead>\n\(row(table.columns.map(\.title), "th", ""))</thead>\n<tbody>\n"
            + table.rows.enumerated().map { index, cells in
                row(cells, "td", index == last ? " class=\"total\"" : "")
            }.joined() + "</tbody>\n</table>\n"
    }

    /// An element with a text; nothing when the text is empty.
    private static func element(_ name: String, _ text: String, _ style: String = "") -> String {
        guard !text.isEmpty else { return "" }
        return "<\(name)\(style.isEmpty ? "" : " class=\"\(style)\"")>\(escaped(text))</\(name)>\n"
    }

    /// The text escaped for HTML, between tags or in quotation marks.
    package static func escaped(_ text: String) -> String {
        var html = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\n": html += "<br>"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    private static let style = """
        @page { size: A4; margin: 14mm 13mm 16mm;
          @bottom-right { content: counter(page) " / " counter(pages); font: 10pt sans-serif } }
        * { box-sizing: border-box }
        body { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; color: #111; margin: 0 auto;
          max-width: 190mm; padding: 4mm; print-color-adjust: exact;
          -webkit-print-color-adjust: exact }
        section + section { break-before: page; margin-top: 12mm }
        @media print { body { padding: 0 } section + section { margin-top: 0 } }
        p, h1, h2, ul { margin: 0; padding: 0; overflow-wrap: anywhere }
        header { border-bottom: 1.2mm solid #111; padding-bottom: 2mm; margin-bottom: 3mm }
        h1 { font-size: min(26pt, 6.4vw); line-height: 1.15 }
        .site { font-size: 15pt; font-weight: bold; margin-top: 1mm }
        .occasion, .summary { font-size: 12.5pt }
        h2 { break-after: avoid; background: #e4e4e4; padding: 1mm 2mm; margin: 5mm 0 2mm }
        ul { list-style: none }
        li { display: table; break-inside: avoid; border-left: 1.6mm solid transparent;
          padding: 0 0 0 2mm; margin-bottom: 2.5mm }
        .box, li div { display: table-cell; vertical-align: top }
        .box { padding-right: 3mm }
        .sign { display: block; text-align: center; font-weight: bold; border: .5mm solid #111;
          margin-top: .4mm }
        .d1 { margin-left: 9mm } .d2 { margin-left: 18mm } .d3, .d4 { margin-left: 27mm }
        .general { border-left-color: #e07000 } .general .title { color: #a84e00 }
        .ok .sign { color: #12692b; border-color: #12692b }
        .notOk .sign { color: #fff; background: #b3141b; border-color: #b3141b }
        .notOkForPerson .sign { color: #b3141b; border-color: #b3141b }
        .notOk .title, .notOkForPerson .title { font-weight: bold }
        .notApplicable .sign { color: #555; border: .5mm dashed #555 }
        .detail { color: #444 }
        .note { border-left: .7mm solid #999; padding-left: 2mm; margin-top: .8mm }
        .wall h2 { font-size: 18pt } .wall .title { font-size: 18pt; font-weight: bold }
        .wall .detail, .wall .note { font-size: 13pt }
        .wall .sign { width: 9mm; height: 9mm; font-size: 20pt; line-height: 7.6mm }
        .wall .ok .title { color: #555; font-weight: normal }
        .hand h2 { font-size: 14pt } .hand .title { font-size: 12.5pt }
        .hand .detail, .hand .note { font-size: 10pt }
        .hand .sign { width: 6.5mm; height: 6.5mm; font-size: 14pt; line-height: 5.3mm }
        .hand li { margin-bottom: 1.6mm }
        table { width: 100%; border-collapse: collapse; font-size: 11pt; margin: 4mm 0 }
        th, td { border-bottom: .3mm solid #999; padding: 1.2mm 1.5mm; text-align: left;
          vertical-align: bottom }
        th { border-bottom-width: .7mm } tr { break-inside: avoid }
        .number { text-align: right } .total td { font-weight: bold; border-top: .7mm solid #111 }
        .remark { font-size: 18pt; margin: 8mm 0 }
        .paragraph { font-size: 11pt; margin: 2mm 0 }
        .uncertain .sign { color: #7a4a00; border: .5mm dashed #7a4a00 }
        .photos { display: flex; flex-wrap: wrap; gap: 4mm; margin: 3mm 0 }
        .photos figure { margin: 0; width: calc((100% - 8mm) / 3) }
        .wall .photos figure { width: calc((100% - 4mm) / 2) }
        .photos img { display: block; width: 100%; height: 42mm; object-fit: contain;
          background: #f2f2f2 }
        .wall .photos img { height: 64mm }
        .photos .title { font-size: 9pt; font-weight: bold; margin-top: 1mm }
        .photos .detail { font-size: 8.5pt }
        figure { margin: 3mm 0; break-inside: avoid } figure svg { max-width: 100%; height: auto }
        """
}
