import Foundation
import Messages
import Speech

/// Decides which notices are shown on a desktop, and how `notify-send` is asked to show them.
struct DesktopNotice {
    /// The maximum number of bytes of a title and of a body.
    private static let (longestTitle, longestBody) = (200, 1_000)
    private static let program = "notify-send"

    /// The severity with which each open alert was shown last, by its id.
    private var shown: [String: Severity] = [:]

    /// Finds `notify-send`.
    ///
    /// - Parameter folders: where to look, separated by colons.
    /// - Throws: a `Failure` if it isn't installed.
    static func path(in folders: String) throws(Failure) -> String {
        let paths = folders.split(separator: ":").map { "\($0)/\(program)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw Failure(
                .broken, "\(program) is not installed, which shows notices on the desktop",
                advice: "install the package libnotify-bin")
        }
        return path
    }

    /// The arguments with which `notify-send` shows a notice; nil if it needn't be shown: an alert
    /// appears when it is raised, gets louder, or is repeated.
    mutating func arguments(for notice: AlertNotice) -> [String]? {
        guard let alert = notice.alert, notice.reason != .closed else {
            if let alert = notice.alert { shown[alert.id] = nil }
            return nil
        }
        let severity = alert.loudness
        let before = shown.updateValue(severity, forKey: alert.id)
        if notice.reason == .changed, let before, severity.rawValue <= before.rawValue {
            return nil
        }
        let text = alert.shown
        let title = Self.argument(text.title, most: Self.longestTitle)
        let body = Self.argument(text.body, most: Self.longestBody)
        let urgency =
            switch severity {
            case .urgent: "critical"
            case .warning: "normal"
            default: "low"
            }
        // Nothing after the two dashes is read as an option.
        var arguments: [String] = ["--app-name=Steward", "--urgency=\(urgency)", "--"]
        arguments.append(title.isEmpty ? "Steward" : title)
        if !body.isEmpty { arguments.append(Self.escaped(body)) }
        return arguments
    }

    /// A text as an argument, which a zero byte would end.
    private static func argument(_ text: String, most bytes: Int) -> String {
        text.replacing("\0", with: "").prefix(bytes: bytes)
    }

    /// A body that is shown as it is: `notify-send` reads backslashes, and desktops read markup.
    private static func escaped(_ body: String) -> String {
        body.replacing("\\", with: "\\\\").replacing("&", with: "&amp;")
            .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension AlertProgram {
    /// The program that shows notices on the desktop.
    ///
    /// - Throws: a `Failure` if `notify-send` isn't installed.
    static func desktop(from least: Severity) throws(Failure) -> AlertProgram {
        let path = try DesktopNotice.path(in: environment["PATH"] ?? "")
        var notices = DesktopNotice()
        return AlertProgram("notify-send", from: least) { notice in
            notices.arguments(for: notice).map { Run(path: path, arguments: $0) }
        }
    }
}
