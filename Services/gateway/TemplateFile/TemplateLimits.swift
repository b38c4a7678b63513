/// The limits of a template file: far more than a list that people can walk, and few enough that
/// the packed template fits into one message.
package enum TemplateLimits {
    /// The maximum size of the file, bytes.
    package static let bytes = 512 * 1_024
    package static let sections = 100
    package static let tasks = 1_000
    /// The maximum depth of tasks within tasks, counting the outermost.
    package static let depth = 6
    /// The maximum number of languages of one title.
    package static let languages = 20
    /// The maximum length of a checklist's or section's name, characters.
    package static let name = 80
    /// The maximum length of a task's title, characters.
    package static let title = 200
    /// The maximum length of a standing note, characters.
    package static let note = 1_000
    /// The maximum length of an id, characters.
    package static let id = 60
}
