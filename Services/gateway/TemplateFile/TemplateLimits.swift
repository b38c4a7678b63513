/// How much a template file may hold: far more than a list that people can walk, and little enough
/// that the packed template fits into one message.
package enum TemplateLimits {
    /// Bytes of the file.
    package static let bytes = 512 * 1_024
    package static let sections = 100
    package static let tasks = 1_000
    /// Tasks within tasks, the outermost counted.
    package static let depth = 6
    /// Languages of one title.
    package static let languages = 20
    /// Characters of a checklist's or section's name.
    package static let name = 80
    /// Characters of a task's title.
    package static let title = 200
    /// Characters of a standing note.
    package static let note = 1_000
    /// Characters of an id.
    package static let id = 60
}
