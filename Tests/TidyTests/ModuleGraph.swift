import Foundation

/// Which files of a module mention types declared in others, and so have to be read together.
///
/// It knows types only by name. A type declared inside another is found by the name of the outer
/// one; an extension is not a declaration.
struct ModuleGraph {
    /// The folder of the module.
    let folder: String
    /// For each file, the files that declare what it mentions, as indices into ``files``.
    private let edges: [Set<Int>]
    private let files: [TextFile]

    /// Every module that isn't generated, in order of its folder.
    static func all() throws -> [ModuleGraph] {
        let roots = try folders()
        return Dictionary(grouping: Repository.swift) { file in
            roots.filter { file.path.hasPrefix($0 + "/") }.max { $0.count < $1.count } ?? ""
        }.filter { !$0.key.isEmpty }.map { ModuleGraph($0.key, $0.value) }
            .sorted { $0.folder < $1.folder }
    }

    /// The folders of the modules: `Shared/Bus`, `Services/notifier`, those that the manifest names
    /// in full, and the libraries in a service's folder.
    private static func folders() throws -> Set<String> {
        let manifest = try Repository.file("Package.swift").text
        let named = manifest.matches(of: /(?:path|in): "([\w\/-]+)"/).map { String($0.1) }
        let libraries = Set(
            manifest.matches(of: /library\(\s*"(\w+)"/).map { String($0.1) })
        let paths = Repository.swift.map { $0.path.split(separator: "/").map(String.init) }
        let outer = paths.filter { $0.count > 2 }.map { $0[0] + "/" + $0[1] }
        let inner = paths.filter { $0.count > 3 && libraries.contains($0[2]) }
            .map { $0[0...2].joined(separator: "/") }
        return Set(named + outer + inner)
    }

    init(_ folder: String, _ files: [TextFile]) {
        self.folder = folder
        self.files = files
        let types = files.map(Self.types)
        let words = zip(files, types).map { file, types in
            Set(file.code.capitalWords.map { String($0) }).subtracting(types.inner)
        }
        var declaring: [String: Set<Int>] = [:]
        for (index, types) in types.enumerated() {
            for name in types.outer { declaring[name, default: []].insert(index) }
        }
        edges = words.enumerated().map { index, words in
            words.reduce(into: []) { found, word in
                guard let homes = declaring[word], !homes.contains(index) else { return }
                found.formUnion(homes)
            }
        }
    }

    /// The types that a file declares at its outermost level, and those inside others.
    private static func types(_ file: TextFile) -> (outer: Set<String>, inner: Set<String>) {
        let pattern = /(?:^|[ )])(?:struct|class|enum|protocol|typealias|actor) +([A-Z]\w*)/
        var (outer, inner): (Set<String>, Set<String>) = ([], [])
        let kinds = ["struct ", "class ", "enum ", "protocol ", "typealias ", "actor "]
        for (_, line) in file.code.lines(having: kinds) {
            guard let name = line.firstMatch(of: pattern).map({ String($0.1) }) else { continue }
            if line.hasPrefix(" ") { inner.insert(name) } else { outer.insert(name) }
        }
        return (outer, inner)
    }

    /// The groups of two or more files in which each file leads to every other, largest first (R.
    /// Tarjan, "Depth-first search and linear graph algorithms", 1972).
    var cycles: [[String]] {
        var search = Search(edges)
        for file in files.indices { search.visit(file) }
        return search.groups.filter { $0.count > 1 }.map { $0.map { files[$0].path }.sorted() }
            .sorted { ($1.count, $0.first ?? "") < ($0.count, $1.first ?? "") }
    }

    private struct Search {
        let edges: [Set<Int>]
        var number: [Int?]
        var lowest: [Int]
        var stack: [Int] = []
        var isOnStack: [Bool]
        var count = 0
        var groups: [[Int]] = []

        init(_ edges: [Set<Int>]) {
            self.edges = edges
            number = Array(repeating: nil, count: edges.count)
            lowest = Array(repeating: 0, count: edges.count)
            isOnStack = Array(repeating: false, count: edges.count)
        }

        mutating func visit(_ file: Int) {
            guard number[file] == nil else { return }
            number[file] = count
            lowest[file] = count
            count += 1
            stack.append(file)
            isOnStack[file] = true
            for next in edges[file].sorted() {
                if let known = number[next] {
                    if isOnStack[next] { lowest[file] = min(lowest[file], known) }
                } else {
                    visit(next)
                    lowest[file] = min(lowest[file], lowest[next])
                }
            }
            guard lowest[file] == number[file] else { return }
            let start = stack.lastIndex(of: file) ?? 0
            let group = Array(stack[start...])
            stack.removeSubrange(start...)
            for member in group { isOnStack[member] = false }
            groups.append(group)
        }
    }
}
