import GRDB

extension TransitAlertService {
    /// The files of timetables that the store names.
    static func files(_ db: Database) throws -> [String] {
        try FeedRow.namedFiles(db).map { FeedShelf.folderName + "/" + $0 }
    }
}
