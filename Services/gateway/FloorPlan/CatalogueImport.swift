import AidCatalogue
import Bus
import Foundation
import JSONText
import Messages
import PlanSpeech
import Speech
import Terminal

/// The result of an import.
struct ImportSummary: Codable, Hashable {
    /// The number of new products.
    var added = 0
    /// The number of products that were updated to a newer state.
    var changed = 0
    /// The number of products that the service already had in this state or a newer one.
    var unchanged = 0
    /// The number of products that were removed.
    var deleted = 0
    /// The number of entries that are not valid products.
    var refused = 0
    /// The first of these entries, with the reasons.
    var refusals: [RefusedEntry] = []

    /// The maximum number of refusals kept.
    static let mostRefusals = 1_000

    /// One line for people.
    var words: String {
        "\(added) added, \(changed) changed, \(unchanged) unchanged, \(deleted) deleted, "
            + "\(refused) refused"
    }
}

/// Sends the products of files to plan-service, a few messages ahead of its answers.
///
/// The service keeps the newest state of each product, so an interrupted import can simply be
/// repeated, with the same result.
final class CatalogueImport {
    /// The number of products in a message, small enough that nobody waits long for the service
    /// meanwhile.
    static let batchSize = 250
    /// The maximum size of the products in a message, bytes; a message may have 1 MiB.
    static let batchBytes = 900_000
    /// The maximum number of messages without an answer.
    static let mostInFlight = 4
    /// How long to wait for a service that is down before giving up the import.
    static let patience: Duration = .seconds(60)
    /// The shortest time between two lines when the output is not a terminal.
    static let lineInterval: Duration = .seconds(5)

    /// The result so far.
    private(set) var summary = ImportSummary()
    private let session: Session
    private let client: Client
    private var series: [String: CatalogueSeries] = [:]
    /// The messages that were sent and are not answered yet, each with the access token that it
    /// had.
    private var batches: [MessageID: (put: PutProducts, token: [UInt8])] = [:]
    private var batch = PutProducts()
    private var bytes = 0
    private var nextLine = ContinuousClock.now + CatalogueImport.lineInterval

    /// An import in the name of the person who uses this program.
    init(_ session: Session) throws {
        self.session = session
        client = try session.client(.plan)
    }

    /// Reads the files and changes nothing.
    ///
    /// - Throws: ``Failure`` if a file is not JSON, or has no products.
    func check(_ files: [CatalogueFile]) throws {
        // Before spending minutes on reading, make sure that the service is there.
        _ = try session.ask(.plan, FindProducts(limit: 1), for: Products.self)
        // The service was there, so wait for it from now on.
        client.isPatient = true
        var hasProduct = false
        var first: RefusedEntry?
        for file in files {
            var reader = CatalogueReader(series: series, file.piece)
            // One product is enough: the rest is validated without making products.
            reader.makesSeriesAlone = hasProduct
            do {
                while let entry = try reader.next() {
                    if case .product = entry {
                        hasProduct = true
                        reader.makesSeriesAlone = true
                    }
                    if case .refused(let refusal) = entry { first = first ?? refusal }
                    if Interruption.isWanted { throw stopped }
                    show("checking \(file.name.printable)", reader.offset, of: file)
                }
            } catch let fault as JSONFault {
                throw Failure(
                    .refused, "\(file.name.printable) is not valid JSON: \(fault)",
                    advice: "nothing was changed; save it again, or cut it off before that place")
            }
            series = reader.series
            file.rewind()
        }
        session.printer.endLive()
        guard hasProduct else {
            let names = files.map(\.name.printable).joined(separator: ", ")
            throw Failure(
                .refused,
                "there is no product in \(names)"
                    + (first.map { ": in line \($0.line) \($0.reason)" } ?? ""),
                advice: "save the answer to a search of the catalogue, or one product per line")
        }
    }

    /// Sends the products of files that were checked.
    func run(_ files: [CatalogueFile]) throws {
        defer { session.printer.endLive() }
        do {
            for file in files where !Interruption.isWanted { try send(file) }
            if !Interruption.isWanted { try send() }
            while !batches.isEmpty { try receive() }
        } catch ClientError.noAnswer(let service, _) {
            throw Failure(
                .unknownOutcome, "\(service.rawValue) has not answered in time: \(summary.words)",
                advice: Self.goOn)
        } catch is JSONFault {
            throw Failure(
                .refused, "a file was changed while it was read: \(summary.words)",
                advice: Self.goOn)
        }
        if Interruption.isWanted { throw stopped }
    }

    private func send(_ file: CatalogueFile) throws {
        var reader = CatalogueReader(series: series, file.piece)
        while !Interruption.isWanted, let entry = try reader.next() {
            switch entry {
            case .product(let product): try add(product)
            case .refused(let refusal): refuse(refusal)
            case .series, .passedOver: break
            }
            show(summary.words, reader.offset, of: file)
        }
    }

    private static let goOn = "what was imported stays; import the same again to go on"

    private var stopped: Failure {
        Failure(
            .refused, "the import was stopped: \(summary.words)",
            advice: Self.goOn)
    }

    private func refuse(_ refusal: RefusedEntry) {
        summary.refused += 1
        if summary.refusals.count < ImportSummary.mostRefusals { summary.refusals.append(refusal) }
    }

    private func add(_ product: Product) throws {
        let size = product.roughSize
        if batch.products.count == Self.batchSize || bytes + size > Self.batchBytes { try send() }
        batch.products.append(product)
        bytes += size
    }

    private func send() throws {
        guard !batch.products.isEmpty else { return }
        while batches.count >= Self.mostInFlight { try receive() }
        try send(batch)
        (batch, bytes) = (PutProducts(), 0)
    }

    private func send(_ put: PutProducts) throws {
        let id = try client.send(put, deadline: Self.patience)
        batches[id] = (put, client.token)
    }

    private func receive() throws {
        for answer in try client.receive(within: Self.patience) {
            guard let (put, token) = batches.removeValue(forKey: answer.id) else { continue }
            let envelope = try answer.result.get()
            if try session.renewsToken(after: envelope, to: token) {
                try send(put)
                continue
            }
            let reply = try Client.unpack(envelope, as: ProductsPut.self)
            summary.added += Int(reply.added)
            summary.changed += Int(reply.changed)
            summary.unchanged += Int(reply.unchanged)
            summary.deleted += Int(reply.deleted)
        }
    }

    private func show(_ words: String, _ offset: Int, of file: CatalogueFile) {
        guard ContinuousClock.now >= nextLine else { return }
        let isSeen = session.printer.err.isTerminal
        nextLine = ContinuousClock.now + (isSeen ? .milliseconds(100) : Self.lineInterval)
        let percent = file.size == 0 ? 100 : offset * 100 / file.size
        let line = "\(percent) %  \(words)"
        if isSeen { session.printer.live(line) } else { session.printer.remark(line) }
    }
}

extension Product {
    /// An upper bound of its size in a message, bytes.
    fileprivate var roughSize: Int {
        let texts = [id, number, supplierNumber, name, title, maker, isoCode, isoTitle] + notes
        let measures = [width, depth, height, turningDiameter, clearance].compactMap { $0 }
        return 40 + texts.reduce(0) { $0 + $1.utf8.count + 5 }
            + measures.reduce(0) { $0 + $1.label.utf8.count + $1.guess.utf8.count + 30 }
    }
}
