/// Reads floor plans from files of several formats and writes two of them. A format is recognised
/// by content, not by name.
package enum PlanFile {
    /// The maximum size of a file, in bytes; archives also have pictures and models.
    package static let largest = 100 << 20
    /// The maximum size of a text document, in bytes.
    package static let largestText = 32 << 20
    /// The maximum number of items in a plan.
    package static let mostItems = 10_000

    static let formats =
        "give a .nav or XML plan, a .sh3d or Home.xml, the JSON of a RoomPlan scan, or a panorama"

    /// The name of a plan if the file has none: the file's name without its folder and extension.
    static func name(of file: String) -> String {
        let last = file.split(separator: "/").last ?? ""
        let stem = last.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        let name = stem.isEmpty ? String(last) : stem.joined(separator: ".")
        return name.isEmpty ? "Plan" : String(name.prefix(100))
    }
}
