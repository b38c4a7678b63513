import Bus
import Foundation
import HTTPExchange
import Messages
import Phrases

/// A person's alerts, and how they reach the person.
extension Attendant {
    func alerts() {
        withPerson { person in
            desk.alerts.read(by: person) { result in
                switch result {
                case .success(let alerts):
                    let language = person.language ?? visit.language
                    let page = AlertPage(
                        alerts: alerts, language: language, zone: person.siteZone)
                    visit.send(page.response(visit, person))
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    func alertStream() {
        let language = visit.language
        withPerson { person in
            stream(person) { desk, stream, number, seal in
                desk.alerts.open(stream, number: number, seal, language)
            }
        }
    }

    func acknowledge() {
        let id = visit.values["id"] ?? ""
        withPerson { person in
            desk.alerts.acknowledge(id, by: person) { result in
                switch result {
                case .success: visit.send(.lead(to: "/alerts"))
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    // MARK: How they reach the person

    /// Shows how they reach the person.
    ///
    /// - Parameters:
    ///   - typed: quiet hours that were not kept, to be shown as they were typed.
    ///   - code: the code of a mailbox that wasn't accepted, likewise.
    ///   - fault: why they weren't.
    func preferences(
        typed: PreferencePage.TypedHours? = nil, code: String = "", fault: FaultPage? = nil
    ) {
        ask(.notifier, ReadAlertPreference(), for: AlertPreference.self) { person, preference in
            ask(.notifier, ReadQuietHours(), for: QuietHours.self) { _, hours in
                ask(.notifier, ListChannels(), for: AlertChannels.self) { _, channels in
                    let page = PreferencePage(
                        visit: visit, person: person, preference: preference, seen: preference,
                        others: (hours, channels.channels))
                    visit.send(page.showing(typed, code: code, fault).response)
                }
            }
        }
    }

    func prefer() {
        guard let form = visit.request.form, let mail = form["mail"],
            let language = form["language"],
            let from = PreferencePage.severities.first(where: { "\($0)" == form["from"] })
        else { return visit.send(.plain(.badRequest)) }
        let typed = AlertPreference(
            mail: mail.trimmingCharacters(in: .whitespaces), from: from, language: language)
        let seen = PreferencePage.seen(in: form)
        let wish = PreferAlerts(
            mail: typed.mail, from: from, language: language, expected: seen)
        ask(.notifier, wish, for: AlertPreference.self, id: command) { person, _ in
            // Pages are written in that language from now on.
            desk.people.refresh(person)
            visit.send(.lead(to: "/alerts/preferences?saved=1"))
        } otherwise: { error, person in
            guard case .refused(let refusal) = error, refusal.isBecause(.preferenceChanged),
                let before = seen, let proof = person.proof(for: .notifier)
            else { return preferAgain(typed, seen: seen, error, person) }
            // The form then has what is kept now, except for what the person changed in it.
            let read = ReadAlertPreference()
            desk.switchboard.ask(.notifier, read, for: AlertPreference.self, by: proof) { found in
                guard case .success(let kept) = found else {
                    return preferAgain(typed, seen: before, error, person)
                }
                preferAgain(typed.changed(from: before, in: kept), seen: kept, error, person)
            }
        }
    }

    /// Shows the preferences again as they were typed, with the others as far as they are known.
    private func preferAgain(
        _ typed: AlertPreference, seen: AlertPreference?, _ error: ClientError, _ person: Person
    ) {
        func show(_ others: (hours: QuietHours, channels: [AlertChannel])?) {
            fail(error, person) { fault in
                PreferencePage(
                    visit: visit, person: person, preference: typed, seen: seen, others: others,
                    fault: fault
                ).response
            }
        }
        guard case .refused = error, let proof = person.proof(for: .notifier) else {
            return show(nil)
        }
        let (hours, channels) = (ReadQuietHours(), ListChannels())
        desk.switchboard.ask(.notifier, hours, for: QuietHours.self, by: proof) { read in
            guard case .success(let hours) = read else { return show(nil) }
            desk.switchboard.ask(.notifier, channels, for: AlertChannels.self, by: proof) { list in
                guard case .success(let found) = list else { return show(nil) }
                show((hours, found.channels))
            }
        }
    }

    func confirmMailbox() {
        guard let code = visit.request.form?["code"] else { return visit.send(.plain(.badRequest)) }
        let confirmation = ConfirmMailbox(code: code)
        ask(.notifier, confirmation, for: AlertPreference.self, id: command) { _, _ in
            visit.send(.lead(to: "/alerts/preferences?saved=1"))
        } otherwise: { error, person in
            guard case .refused = error else { return fail(error, person) }
            preferences(code: code, fault: FaultPage(error, visit, in: person.language))
        }
    }

    func setQuietHours() {
        guard let form = visit.request.form else { return visit.send(.plain(.badRequest)) }
        ask(.notifier, ReadQuietHours(), for: QuietHours.self) { person, present in
            // The times are in the zone that the page shows; a page of a former release shows none.
            let zone = present.timeZone.isEmpty ? person.zone : present.timeZone
            guard let typed = PreferencePage.TypedHours(form, zone: zone) else {
                return visit.send(.plain(.badRequest))
            }
            var hours = QuietHours()
            if !typed.from.isEmpty || !typed.until.isEmpty {
                guard let from = Self.minutes(typed.from), let until = Self.minutes(typed.until)
                else {
                    let words = Words<WebPhrase>(person.language ?? visit.language)
                    let fault = FaultPage(
                        .badRequest, visit, note: words.say(.quietTimes), in: person.language)
                    return preferences(typed: typed, fault: fault)
                }
                hours = QuietHours(from: from, until: until, timeZone: typed.zone)
            }
            let wish = SetQuietHours(hours: hours, expected: typed.seen)
            ask(.notifier, wish, for: QuietHours.self, id: command) { _, _ in
                visit.send(.lead(to: "/alerts/preferences?saved=1"))
            } otherwise: { error, person in
                guard case .refused(let refusal) = error else { return fail(error, person) }
                let fault = FaultPage(error, visit, in: person.language)
                guard let seen = typed.seen, refusal.isBecause(.preferenceChanged) else {
                    return preferences(typed: typed, fault: fault)
                }
                // The form then has what is kept now, except for what the person changed in it.
                ask(.notifier, ReadQuietHours(), for: QuietHours.self) { person, kept in
                    let (before, now) = (
                        PreferencePage.TypedHours(seen, zone: person.zone),
                        PreferencePage.TypedHours(kept, zone: person.zone)
                    )
                    preferences(typed: typed.changed(from: before, in: now), fault: fault)
                }
            }
        }
    }

    /// The minutes after midnight of a time such as `22:30`; nil if it isn't one.
    private static func minutes(_ text: String) -> UInt32? {
        guard let parts = text.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/),
            let hour = UInt32(parts.1), let minute = UInt32(parts.2)
        else { return nil }
        return hour * 60 + minute
    }

    /// Tests or removes a channel, as the last word of the path says.
    func changeChannel() {
        let name = visit.values["channel"] ?? ""
        switch visit.values["change"] {
        case "test":
            ask(.notifier, TestChannel(name: name), for: Alert.self, id: command) { _, _ in
                visit.send(.lead(to: "/alerts/preferences?tested=1"))
            }
        case "remove":
            let removal = RemoveChannel(name: name)
            ask(.notifier, removal, for: AlertChannel.self, id: command) { _, _ in
                visit.send(.lead(to: "/alerts/preferences?saved=1"))
            }
        default: missing()
        }
    }
}
