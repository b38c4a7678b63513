import GRDB
import Messages
import ServiceRuntime

/// Which account a device belongs to: the first one to get a block of numbers for it at the site,
/// or else the first to use it in the shift. A device numbers its operations without gaps, so it
/// could not send them if others used up the numbers.
enum DeviceOwnerStore {
    /// Adds the owners to the blocks of numbers: those who were the first to use the devices in a
    /// shift.
    static func add(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE numberBlock ADD COLUMN account TEXT NOT NULL DEFAULT '';
                UPDATE numberBlock SET account = owner.account FROM (
                    SELECT shift.site AS site, device.device AS device, device.account AS account,
                        min(shift.started)
                    FROM device JOIN shift ON shift.id = device.shift
                    WHERE device.account <> '' GROUP BY shift.site, device.device
                ) AS owner
                WHERE numberBlock.site = owner.site AND numberBlock.device = owner.device;
                """)
    }

    /// The account of a device; nil if nobody has used it.
    static func owner(of device: String, in shift: Shift, _ db: Database) throws -> String? {
        try owner("numberBlock WHERE site = ? AND device = ?", [shift.site, device], db)
            ?? owner("device WHERE shift = ? AND device = ?", [shift.id, device], db)
    }

    /// Sets the account of a device that has a block of numbers.
    static func set(
        _ account: String, of device: String, at site: String, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE numberBlock SET account = ?1
                WHERE site = ?2 AND device = ?3 AND account <> ?1
                """,
            arguments: [account, site, device])
    }

    private static func owner(
        _ place: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> String? {
        let account = try String.fetchOne(
            db.cachedStatement(sql: "SELECT account FROM \(place)"), arguments: arguments)
        return account == "" ? nil : account
    }
}

extension Transaction {
    /// True if the asker may use a device in a shift. A device whose account is gone may be used by
    /// anyone, because a device keeps its name.
    func mayUse(_ device: String, in shift: Shift) throws -> Bool {
        guard principal.kind == .account,
            let owner = try DeviceOwnerStore.owner(of: device, in: shift, db),
            owner != principal.account
        else { return true }
        return try owner != Principal.machineOwner.account && Person.ofID(owner, db) == nil
    }

    /// The block from which a device takes the numbers of its to-dos; 0 for a device that has no
    /// valid name or is somebody else's, or whose asker may not change anything.
    func numberBlock(of device: String, in shift: Shift) throws -> UInt32 {
        guard DeviceRow.isName(device), holdsSomeArea(.crew, at: shift.site),
            try mayUse(device, in: shift)
        else { return 0 }
        let owner = try DeviceOwnerStore.owner(of: device, in: shift, db)
        let block = try NumberBlock.of(
            device, at: shift.site, by: owner ?? principal.account, db)
        // A block that was given away by an earlier version may have no owner yet, even if the
        // device has one in this shift.
        if principal.kind == .account {
            try DeviceOwnerStore.set(principal.account, of: device, at: shift.site, db)
        }
        return block
    }
}
