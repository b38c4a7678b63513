/// Reads floor plans from files of several formats and writes two of them. A format is known by
/// its content, not by its name.
package enum PlanFile {
    /// The largest file that is read, in bytes: archives hold pictures and models besides.
    package static let largest = 100 << 20
    /// The largest document of text that is read, in bytes.
    package static let largestText = 32 << 20
    /// The most things that a plan may have.
    package static let mostItems = 10_000

    static let formats =
        "give a .nav or XML plan, a .sh3d or Home.xml, the JSON of a RoomPlan scan, or a panorama"

    /// What a plan is called when nothing in the file says it: the file's name without its folder
    /// and its ending.
    static func name(of file: String) -> String {
        let last = file.split(separator: "/").last ?? ""
        let stem = last.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        let name = stem.isEmpty ? String(last) : stem.joined(separator: ".")
        return name.isEmpty ? "Plan" : String(name.prefix(100))
    }
}
