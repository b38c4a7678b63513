import AidCatalogue
import Bus
import Foundation
import Messages
import PlanSpeech
import Speech
import Terminal

/// What an import came to.
struct ImportSummary: Codable, Hashable {
    /// Products that are new.
    var added = 0
    /// Products of which a newer state came.
    var changed = 0
    /// Products that were there as they came, or newer.
    var unchanged = 0
    /// Products that were removed.
    var deleted = 0
    /// How many could not be taken for products.
    var refused = 0
    /// The first of those, and why.
    var refusals: [RefusedEntry] = []

    /// Refusals that are kept.
    static let mostRefusals = 1_000

    /// One line for people.
    var words: String {
        "\(added) added, \(changed) changed, \(unchanged) unchanged, \(deleted) deleted, "
            + "\(refused) refused"
    }
}

/// Brings the products of files to plan-service, a few messages ahead of its answers.
///
/// The service keeps of each product the newest state, so an import that was broken off is begun
/// again and comes to the same.
final class CatalogueImport {
    /// Products in a message: few enough that no one waits long for the service meanwhile.
    static let batchSize = 250
    /// Bytes of the products in a message; it may have 1 MiB.
    static let batchBytes = 900_000
    /// Messages that are not answered yet.
    static let mostInFlight = 4
    /// How long a service may be away before the import is given up.
    static let patience: Duration = .seconds(60)
    /// Where no one looks on, a line is written no more often.
    static let lineInterval: Duration = .seconds(5)

    /// What it has come to so far.
    private(set) var summary = ImportSummary()
    private let session: Session
    private let client: Client
    private var series: [String: CatalogueSeries] = [:]
    private var batches: [MessageID: PutProducts] = [:]
    private var batch = PutProducts()
    private var bytes = 0
    private var nextLine = ContinuousClock.now + CatalogueImport.lineInterval

    /// An import in the name of who uses this program.
    init(_ session: Session) throws {
        self.session = session
        client = try session.client(.plan)
    }

    /// Reads the files and changes nothing.
    ///
    /// - Throws: ``Failure`` when one of them is no JSON, or has no product in it.
    func check(_ files: [CatalogueFile]) throws {
        // Before minutes are spent on reading: is there someone to tell?
        _ = try session.ask(.plan, FindProducts(limit: 1), for: Products.self)
        // It was there: from now on it is waited for.
        client.isPatient = true
        var hasProduct = false
        var first: RefusedEntry?
        for file in files {
            var reader = CatalogueReader(series: series, file.piece)
            // One product is enough: that the rest is sound is seen without making them.
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
                    .refused, "\(file.name.printable) is not sound JSON: \(fault)",
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
                advice: "save the answer of a search of the catalogue, or one product a line")
        }
    }

    /// Sends what is in files that were checked.
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

    private static let goOn = "what was taken in stays; import the same again to go on"

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
        batches[try client.send(batch, deadline: Self.patience)] = batch
        (batch, bytes) = (PutProducts(), 0)
    }

    private func receive() throws {
        for answer in try client.receive(within: Self.patience) {
            guard let put = batches.removeValue(forKey: answer.id) else { continue }
            let envelope = try answer.result.get()
            if try session.renewsToken(after: envelope) {
                batches[try client.send(put, deadline: Self.patience)] = put
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
    /// No fewer bytes than it takes in a message.
    fileprivate var roughSize: Int {
        let texts = [id, number, supplierNumber, name, title, maker, isoCode, isoTitle] + notes
        let measures = [width, depth, height, turningDiameter, clearance].compactMap { $0 }
        return 40 + texts.reduce(0) { $0 + $1.utf8.count + 5 }
            + measures.reduce(0) { $0 + $1.label.utf8.count + $1.guess.utf8.count + 30 }
    }
}
