import GRDB

extension TransitAlertService {
    static func files(_ db: Database) throws -> [String] {
        try FeedRow.namedFiles(db).map { FeedShelf.folderName + "/" + $0 }
    }
}
