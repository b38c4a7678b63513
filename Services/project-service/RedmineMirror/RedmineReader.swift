import Dates
import JSONText
import Texts

/// Reads the answers of a Redmine server. Whatever a server sends is limited: anything out of range
/// is a ``RedmineFault`` that names the place.
package struct RedmineReader {
    var scanner: JSONScanner

    /// A reader of an answer.
    package init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        scanner = JSONScanner {
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// A part of a list that the server has sent.
    package struct Page<Item: Sendable>: Sendable {
        package var items: [Item] = []
        /// The reasons why things can't be kept here.
        package var skipped: [RedmineFault] = []
        /// The number of things in the whole list; nil when the server doesn't say.
        package var total: Int?
        /// The number of things before the first of these, as the server understood the request.
        package var offset: Int?
        /// The number of things that it sends at a time, as it understood the request.
        package var limit: Int?
        /// The size of the answer.
        package var bytes = 0
        package init() {}

        /// The number of things in this part, including those that can't be kept.
        package var count: Int { items.count + skipped.count }
    }

    /// The issues of a list.
    package static func issues(_ bytes: [UInt8]) throws(RedmineFault) -> Page<RemoteIssue> {
        try page(bytes, "issues") { try $0.issue() }
    }

    /// The single issue of an answer.
    package static func issue(_ bytes: [UInt8]) throws(RedmineFault) -> RemoteIssue {
        try one(bytes, "issue") { try $0.issue() }
    }

    /// The things of a list that have a number and a name, such as trackers and versions.
    ///
    /// - Parameter list: the name of the list, such as `trackers`.
    package static func names(
        _ bytes: [UInt8], in list: String
    ) throws(RedmineFault) -> Page<RemoteName> {
        try page(bytes, list) { try $0.name() }
    }

    /// The error messages with which the server refused something; none if the answer has no list
    /// of them.
    package static func errors(_ bytes: [UInt8]) -> [String] {
        var reader = RedmineReader(bytes)
        var errors: [String] = []
        do {
            try reader.object { reader, key in
                guard key == "errors" else { return false }
                try reader.array { reader in
                    let text = try reader.scanner.text()
                    if errors.count < RedmineLimit.errors {
                        // A character may have any number of marks.
                        let scalars = text.withoutEndlessMarks.unicodeScalars
                        errors.append(String(scalars.prefix(RedmineLimit.error)))
                    }
                }
                return true
            }
        } catch { return [] }
        return errors
    }

    // MARK: Values

    /// Reads an object member by member.
    ///
    /// - Parameter take: reads the value of a key, or returns false to have it skipped.
    mutating func object(
        _ take: (inout RedmineReader, String) throws -> Bool
    ) throws {
        try scanner.enterObject()
        while let key = try scanner.nextKey() {
            if try !take(&self, key) { try scanner.skip() }
        }
    }

    mutating func array(_ take: (inout RedmineReader) throws -> Void) throws {
        try scanner.enterArray()
        var count = 0
        while try scanner.nextElement() {
            count += 1
            guard count <= RedmineLimit.items else {
                throw RedmineFault("a list has more than \(RedmineLimit.items) things")
            }
            try take(&self)
        }
    }

    /// A text; empty for null.
    mutating func text(_ field: String, most: Int) throws -> String {
        guard try scanner.kind() != .word else {
            _ = try scanner.word()
            return ""
        }
        let text = try scanner.text()
        guard text.utf8.count <= most, text.utf8.count < JSONScanner.longestText else {
            throw RedmineFault("\(field) has more than \(most) bytes")
        }
        guard !text.hasEndlessMarks else {
            throw RedmineFault(
                "\(field) has more than \(MarkRun.longest) combining marks in a row")
        }
        return text
    }

    /// A whole number; nil for null.
    mutating func number(_ field: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let decimal = try decimal(field) else { return nil }
        guard let number = Int(exactly: decimal), range.contains(number) else {
            throw RedmineFault("\(field) is \(decimal)")
        }
        return number
    }

    /// A number, also in quotation marks; nil for null.
    mutating func decimal(_ field: String) throws -> Double? {
        switch try scanner.kind() {
        case .word:
            _ = try scanner.word()
            return nil
        case .number, .text:
            let isText = try scanner.kind() == .text
            let text = try isText ? scanner.text() : scanner.number()
            guard text.utf8.count <= 40, let number = Double(text), number.isFinite else {
                throw RedmineFault("\(field) isn't a number")
            }
            return number
        default: throw RedmineFault("\(field) isn't a number")
        }
    }

    /// A Boolean; false for null.
    mutating func flag(_ field: String) throws -> Bool {
        guard try scanner.kind() == .word else {
            throw RedmineFault("\(field) is neither yes nor no")
        }
        return try scanner.word() ?? false
    }

    /// A day; nil for null and for an empty text.
    mutating func day(_ field: String) throws -> CivilDate? {
        let text = try text(field, most: 40)
        guard !text.isEmpty else { return nil }
        guard let day = CivilDate(iso: text) else {
            throw RedmineFault("\(field) is “\(text)”, which isn't a day")
        }
        return day
    }

    /// A moment such as `2026-01-05T20:00:00Z`, in seconds since 1970.
    mutating func moment(_ field: String) throws -> Int64 {
        let text = try text(field, most: 40)
        guard let moment = RedmineMoment.seconds(text) else {
            throw RedmineFault("\(field) is “\(text)”, which isn't a time")
        }
        return moment
    }

    /// Something with a number and a name; nil for null.
    mutating func nameOrNull(_ field: String) throws -> RemoteName? {
        guard try scanner.kind() != .word else {
            _ = try scanner.word()
            return nil
        }
        var id: Int?
        var name = ""
        try object { reader, key in
            switch key {
            case "id": id = try reader.number("the number of \(field)", in: RedmineLimit.ids)
            case "name", "subject", "login":
                let text = try reader.text("the name of \(field)", most: RedmineLimit.name)
                if name.isEmpty || key == "name" { name = text }
            default: return false
            }
            return true
        }
        guard let id else { throw RedmineFault("\(field) has no number") }
        return RemoteName(id: id, name: name)
    }

    private mutating func name() throws -> RemoteName {
        guard let name = try nameOrNull("a thing") else { throw RedmineFault("a thing is null") }
        return name
    }

    // MARK: Answers

    /// Reads an answer with a single thing. The fault says if only that is out of range.
    static func one<Item>(
        _ bytes: [UInt8], _ key: String, _ read: (inout RedmineReader) throws -> Item
    ) throws(RedmineFault) -> Item {
        try reading(bytes) { reader in
            var found: Item?
            var fault: RedmineFault?
            try reader.object { reader, name in
                guard name == key, found == nil, fault == nil else { return false }
                // The rest may still turn out not to be JSON.
                let before = reader
                do { found = try read(&reader) } catch let thrown as RedmineFault {
                    fault = RedmineFault(thrown.description, isOfThing: true)
                    reader = before
                    try reader.scanner.skip()
                }
                return true
            }
            if let fault { throw fault }
            guard let found else { throw RedmineFault("the answer has no “\(key)”") }
            return found
        }
    }

    /// Reads an answer with a part of a list. An item that is out of range is skipped, and the
    /// reason reported; an answer that isn't a list of this kind is a fault.
    static func page<Item: Sendable>(
        _ bytes: [UInt8], _ key: String, _ read: (inout RedmineReader) throws -> Item
    ) throws(RedmineFault) -> Page<Item> {
        try reading(bytes) { reader in
            var page = Page<Item>()
            page.bytes = bytes.count
            var hasList = false
            try reader.object { reader, name in
                switch name {
                case key where !hasList:
                    hasList = true
                    try reader.array { reader in
                        // The scanner is a value: an item that can't be kept is skipped from this
                        // copy.
                        let before = reader
                        do { page.items.append(try read(&reader)) } catch let fault as RedmineFault
                        {
                            page.skipped.append(fault)
                            reader = before
                            try reader.scanner.skip()
                        }
                    }
                case "total_count":
                    page.total = try reader.number("total_count", in: RedmineLimit.total)
                case "offset": page.offset = try reader.number("offset", in: RedmineLimit.total)
                case "limit": page.limit = try reader.number("limit", in: RedmineLimit.total)
                default: return false
                }
                return true
            }
            guard hasList else { throw RedmineFault("the answer has no “\(key)”") }
            return page
        }
    }

    private static func reading<Result>(
        _ bytes: [UInt8], _ read: (inout RedmineReader) throws -> Result
    ) throws(RedmineFault) -> Result {
        guard bytes.count <= RedmineLimit.answer else {
            throw RedmineFault("the answer has \(bytes.count) bytes")
        }
        do {
            var reader = RedmineReader(bytes)
            let result = try read(&reader)
            guard try !reader.scanner.nextDocument() else {
                throw RedmineFault("there is more after the answer")
            }
            return result
        } catch let fault as RedmineFault {
            throw fault
        } catch {
            throw RedmineFault("the answer isn't JSON: \(error)")
        }
    }
}
