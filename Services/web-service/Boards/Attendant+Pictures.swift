import BrowserSeal
import Bus
import HTTPExchange
import Messages
import Papers

/// Boards as pictures, for displays that have no browser.
extension Attendant {
    /// Makes a separate log-in for a display, which can get only the board of one site, as a
    /// picture. Its key is in the address, which is shown once.
    func makePicture() {
        guard let form = visit.request.form, let wanted = form["site"] else {
            return visit.send(.plain(.badRequest))
        }
        ask(.account, MakeLogInCode(), for: LogInCode.self, id: command) { person, code in
            guard let site = person.sites.first(where: { $0.id == wanted }) else {
                return visit.send(FaultPage(.notFound, visit, in: person.language).response)
            }
            let attempt = People.Attempt(
                name: code.name, password: code.code, device: "\(site.name).png",
                source: visit.source, stays: true, former: nil,
                use: .picture(site: site.id))
            desk.people.logIn(attempt) { result in
                switch result {
                case .success(let (seal, _)):
                    let page = PicturePage(visit: visit, person: person, site: site, seal: seal)
                    visit.send(page.response)
                case .failure(let error): fail(error, person)
                }
            }
        } otherwise: { error, person in
            logInsAgain(error, person, site: wanted)
        }
    }

    /// Serves the board as a picture to anyone who has its key.
    ///
    /// - Parameter site: the site's id.
    func picture(of site: String) {
        let query = visit.request.target.query
        guard let seal = query["key"].flatMap({ BrowserSeal(text: $0) }) else {
            return visit.send(.plain(.unauthorized))
        }
        guard let size = BoardPicture.Size(query) else {
            return visit.send(
                .plain(
                    .badRequest,
                    "width is 200 to 1920, height 120 to 1920, and bits 1, 8 or 24"))
        }
        desk.people.find(seal) { found in
            switch found {
            case .success(let person):
                guard person.logIn.pictureSite == site,
                    let site = person.sites.first(where: { $0.id == site })
                else { return visit.send(.plain(.unauthorized)) }
                read(site, by: person, size)
            case .failure(.loggedOut): visit.send(.plain(.unauthorized))
            case .failure(.unreachable):
                visit.send(.plain(.unavailable).adding("Retry-After", "30"))
            }
        }
    }

    private func read(_ site: Site, by person: Person, _ size: BoardPicture.Size) {
        desk.boards.readBoard(of: site.id, by: person) { result in
            let state: BoardState
            switch result {
            case .success(let known): state = known
            case .failure(.refused(let refusal)):
                guard refusal.code == .badToken else { return visit.send(.plain(.unauthorized)) }
                return visit.send(.plain(.unavailable).adding("Retry-After", "30"))
            case .failure(let error):
                // A picture that says so replaces an old one that would seem to be valid.
                state = BoardState(shift: nil, heard: 0, obstacle: error.service ?? .checklist)
            }
            draw(site, state, for: person, size)
        }
    }

    /// Draws on a separate thread: the largest picture takes a tenth of a second, in which no page
    /// could be written.
    private func draw(
        _ site: Site, _ state: BoardState, for person: Person, _ size: BoardPicture.Size
    ) {
        let fallback = desk.boards.language(of: site.id, else: person.language ?? .english)
        let (visit, now) = (visit, desk.now)
        let isTaken = DrawingTable.leave(for: person.logIn.cookie, of: person.account.id) { _ in
            let picture = BoardPicture(
                site: site, state: state, now: now, size: size, fallback: fallback)
            do throws(PaperError) {
                let file = Response(.ok, [("Content-Type", "image/png")], body: try picture.png())
                visit.send(file.kept(by: visit.request.headers))
            } catch { visit.send(.plain(.failed, error.description)) }
        }
        if !isTaken { visit.send(.plain(.unavailable).adding("Retry-After", "30")) }
    }
}
