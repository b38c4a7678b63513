/// The checklists that come with the program: those of a generic restaurant, as a starting point.
/// Their files are in `Restaurant`; the build puts their bytes into the program, so that it needs
/// no folder next to it.
package struct ShippedTemplate: Hashable, Sendable {
    /// Its name on the command line, e.g. `pre-shift-day`.
    package let id: String
    /// The file's bytes: UTF-8, with comments.
    package let yaml: [UInt8]

    /// The lists of a restaurant, in the order in which a shift uses them.
    package static let restaurant: [ShippedTemplate] = [
        .init(id: "pre-shift-day", yaml: PackageResources.pre_shift_day_yaml),
        .init(id: "pre-shift-evening", yaml: PackageResources.pre_shift_evening_yaml),
        .init(id: "before-day", yaml: PackageResources.before_day_yaml),
        .init(id: "before-evening", yaml: PackageResources.before_evening_yaml),
        .init(id: "during-day", yaml: PackageResources.during_day_yaml),
        .init(id: "during-evening", yaml: PackageResources.during_evening_yaml),
        .init(id: "after-day", yaml: PackageResources.after_day_yaml),
        .init(id: "after-evening", yaml: PackageResources.after_evening_yaml),
        .init(id: "travel-path", yaml: PackageResources.travel_path_yaml),
    ]
}
