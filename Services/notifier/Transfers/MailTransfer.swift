import CCurl
import Foundation
import Texts

/// Sends one mail to one recipient through a mail server by SMTP, and waits for the outcome.
///
/// There is one recipient for each transfer: a server that refuses one of several refuses all.
package struct MailTransfer: Sendable {
    /// How long a server may take.
    package struct Limits: Hashable, Sendable {
        /// Until the connection is open.
        package var connect: Duration = .seconds(20)
        /// For each answer.
        package var answer: Duration = .seconds(60)
        /// For the whole transfer.
        package var whole: Duration = .seconds(300)

        /// Makes limits that suffice for any honest server.
        package init() {}
    }

    private let server: MailServer
    private let password: String
    private let limits: Limits

    /// Makes a transfer to a server; the password is used when the server has a user.
    package init(_ server: MailServer, password: String = "", limits: Limits = Limits()) {
        self.server = server
        self.password = password
        self.limits = limits
    }

    /// The bytes to send and the server's answers, shared with libcurl's callbacks.
    private final class Exchange {
        let bytes: [UInt8]
        var sent = 0
        /// The newest line of an answer that refuses something.
        var line = ""
        /// How often the server has agreed since it greeted: to the client's name, to the sender,
        /// to the recipient.
        var consents = 0
        /// True when the server is ready to receive the mail.
        var hasBegun = false
        /// True once the server has accepted the sender: what it refuses then is this mail, unless
        /// it says otherwise.
        var knowsSender: Bool { consents >= 2 }
        /// True if its newest refusal has an enhanced status of the sender, of the mail system or
        /// of a policy (RFC 3463, 3.2, 3.4 and 3.8). Servers such as Postfix refuse a client or a
        /// sender only when they are told the recipient.
        var isOfServer: Bool {
            let status = line.dropFirst(4)
            return ["4.1.7", "4.1.8", "4.3.", "4.7."].contains { status.hasPrefix($0) }
        }

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    /// Sends a mail that a `MailDraft` has written.
    package func send(_ mail: [UInt8], from: String, to: String) -> MailOutcome {
        guard ccurl_begin() == CURLE_OK else {
            return .delayed("libcurl, which sends mail, can't be loaded", ofServer: true)
        }
        guard let handle = ccurl_easy_init() else {
            return .delayed("there isn't enough memory to send a mail", ofServer: true)
        }
        defer { ccurl_easy_cleanup(handle) }
        let recipients = ccurl_slist_append(nil, "<\(to)>")
        defer { ccurl_slist_free_all(recipients) }
        let exchange = Exchange(mail)
        let code = withExtendedLifetime(exchange) {
            configure(handle, exchange)
            ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(from)>")
            ccurl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
            return ccurl_easy_perform(handle)
        }
        return Self.outcome(code, reply: ccurl_reply_code(handle), exchange)
    }

    private func configure(_ handle: UnsafeMutableRawPointer, _ exchange: Exchange) {
        let scheme = server.encryption == .immediate ? "smtps" : "smtp"
        ccurl_set_text(handle, CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)")
        // No environment variable may redirect the mail.
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        // Signals belong to the whole process, and this is only one of its threads.
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        let encryption =
            switch server.encryption {
            case .immediate, .required: CURLUSESSL_ALL
            case .offered: CURLUSESSL_TRY
            case .none: CURLUSESSL_NONE
            }
        ccurl_set_number(handle, CURLOPT_USE_SSL, Int(encryption.rawValue))
        if server.encryption == .offered {
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 0)
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let authorities = server.authorities {
            ccurl_set_text(handle, CURLOPT_CAINFO, authorities)
        }
        if let user = server.user {
            ccurl_set_text(handle, CURLOPT_USERNAME, user)
            ccurl_set_text(handle, CURLOPT_PASSWORD, password)
        }
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
        ccurl_set_number(
            handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, limits.answer.milliseconds / 1000))
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, limits.whole.milliseconds)

        let context = Unmanaged.passUnretained(exchange).toOpaque()
        ccurl_set_number(handle, CURLOPT_UPLOAD, 1)
        ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, Int(exchange.bytes.count))
        ccurl_set_pointer(handle, CURLOPT_READDATA, context)
        ccurl_set_callback(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let part = exchange.bytes[exchange.sent...].prefix(size * count)
            part.withUnsafeBytes {
                if let start = $0.baseAddress { memcpy(buffer, start, $0.count) }
            }
            exchange.sent += part.count
            return part.count
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count).prefix(1_000)
            let line = String(decoding: bytes, as: UTF8.self)
            if line.hasPrefix("220") { exchange.consents = 0 }
            // The last line of an answer; some servers send nothing but the number.
            if line.hasPrefix("250"), !line.hasPrefix("250-") { exchange.consents += 1 }
            if line.hasPrefix("354") { exchange.hasBegun = true }
            // An answer to QUIT after a refusal means nothing.
            if line.hasPrefix("4") || line.hasPrefix("5") { exchange.line = line }
            return size * count
        }
    }

    /// The mail is refused only if the server permanently refuses this mail. Complaints about us,
    /// e.g. a wrong password or sender, can be fixed, and so can a network.
    private static func outcome(
        _ code: CURLcode, reply: Int, _ exchange: Exchange
    ) -> MailOutcome {
        guard code != CURLE_OK else { return .sent }
        let isOfMail =
            code == CURLE_SEND_ERROR
            || exchange.hasBegun && (code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_RECV_ERROR)
        let words = "the mail server says: " + exchange.line.printableLine
        guard isOfMail, (400..<600).contains(reply) else {
            let reason = String(cString: ccurl_easy_strerror(code)).lowercasedFirst
            return .delayed(
                exchange.line.isEmpty ? reason : "\(reason): \(words)", ofServer: true)
        }
        let isOfLogin = [530, 534, 535, 538].contains(reply)
        // The server is told the size of the mail together with the sender, and 552 refuses that.
        let isOfSender = !exchange.knowsSender && reply != 552
        guard reply < 500 || isOfLogin || isOfSender else { return .refused(words) }
        // 421 closes the connection.
        let isOfServer =
            isOfLogin || reply == 421 || !exchange.knowsSender || exchange.isOfServer
        return .delayed(words, ofServer: isOfServer)
    }
}

extension String {
    /// At most 300 characters on one line, whatever the server has answered. A character with marks
    /// counts as several: it may have any number.
    var printableLine: String {
        let scalars = unicodeScalars.filter { $0.properties.generalCategory != .control }
        let line = String(String.UnicodeScalarView(scalars)).withoutEndlessMarks
        return String(line.unicodeScalars.prefix(300))
    }

    /// A sentence of libcurl for use within another.
    fileprivate var lowercasedFirst: String {
        let isAcronym = dropFirst().first?.isUppercase ?? false
        return isAcronym ? self : prefix(1).lowercased() + dropFirst()
    }
}
