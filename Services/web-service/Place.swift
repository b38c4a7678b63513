import HTTPExchange
import Pictures
import RideFile

/// Everything that a browser may request.
enum Place: Sendable {
    case files, login, logIn, logOut, password, setPassword, home, board, boardStream, alerts
    case alertStream, acknowledge, look, gallery, icon, health
    case todos, shift, shiftSnapshot, shiftOperations, record, keepPhoto, photo, serviceWorker
    case equipment, reportEquipment
    case plans, plan, planFile, planStream
    case ride, stops, currentRide, beginRide, recordRide, rideAlerts, acknowledgeRide
    case continueRide, finishRide, rateRide, markStop, favourites, markFavourite
    case logIns, endLogIn, endAllLogIns, makeCode, makePicture, makePhone, positions
    case people, invite, changePerson, audit
    case signUp, makeAccount, addSite, startShift, endShift
    case preferences, prefer, confirmMailbox, setQuietHours, changeChannel

    /// The most bytes of a form.
    private static let form = 4096

    /// Where requests lead.
    static let routes = RouteTable<Place>([
        .init(.get, "/files/{version}/{name}", .files), .init(.get, "/", .home),
        .init(.get, "/login", .login), .init(.post, "/login", bodyLimit: form, .logIn),
        .init(.post, "/logout", bodyLimit: form, .logOut),
        .init(.get, "/password", .password),
        .init(.post, "/password", bodyLimit: form, .setPassword),
        .init(.get, "/board/{site}", .board), .init(.get, "/board/{site}/stream", .boardStream),
        .init(.get, "/todos/{site}", .todos),
        .init(.get, "/shift/{site}", .shift), .init(.get, "/sw.js", .serviceWorker),
        .init(.get, "/shift/{site}/snapshot", .shiftSnapshot),
        .init(.get, "/operations/{shift}", .shiftOperations),
        .init(.post, "/operations", bodyLimit: 512 << 10, .record),
        .init(.post, "/photos/{shift}", bodyLimit: PictureLimits.record.preparedBytes, .keepPhoto),
        .init(.get, "/photos/{shift}/{digits}", .photo),
        .init(.post, "/shift/{site}/start", bodyLimit: form, .startShift),
        .init(.post, "/shift/{site}/end", bodyLimit: form, .endShift),
        .init(.get, "/shift/{site}/equipment", .equipment),
        .init(.post, "/shift/{site}/equipment", bodyLimit: 16 << 10, .reportEquipment),
        .init(.post, "/sites", bodyLimit: form, .addSite),
        .init(.get, "/alerts/preferences", .preferences),
        .init(.post, "/alerts/preferences", bodyLimit: form, .prefer),
        .init(.post, "/alerts/mailbox", bodyLimit: form, .confirmMailbox),
        .init(.post, "/alerts/quiet-hours", bodyLimit: form, .setQuietHours),
        .init(.post, "/alerts/channels/{channel}/{change}", bodyLimit: form, .changeChannel),
        .init(.get, "/alerts", .alerts), .init(.get, "/alerts/stream", .alertStream),
        .init(.post, "/alerts/{id}/acknowledge", bodyLimit: form, .acknowledge),
        .init(.get, "/ride", .ride), .init(.get, "/ride/stops", .stops),
        .init(.post, "/ride/stops", bodyLimit: form, .markStop),
        .init(.get, "/ride/favourites", .favourites),
        .init(.post, "/ride/favourites", bodyLimit: form, .markFavourite),
        .init(.get, "/ride/current", .currentRide),
        .init(.post, "/ride", bodyLimit: form, .beginRide),
        .init(.post, "/ride/{journey}/positions", bodyLimit: 128 << 10, .recordRide),
        .init(.get, "/ride/{journey}/alerts", .rideAlerts),
        .init(.post, "/ride/{journey}/acknowledge", bodyLimit: form, .acknowledgeRide),
        .init(.post, "/ride/{journey}/continue", bodyLimit: form, .continueRide),
        .init(.post, "/ride/{journey}/finish", bodyLimit: form, .finishRide),
        .init(.post, "/ride/{journey}/feedback", bodyLimit: form, .rateRide),
        .init(.get, "/log-ins", .logIns), .init(.post, "/log-ins/code", bodyLimit: form, .makeCode),
        .init(.post, "/log-ins/picture", bodyLimit: form, .makePicture),
        .init(.post, "/log-ins/phone", bodyLimit: form, .makePhone),
        .init(.post, "/positions", bodyLimit: OwnTracksReport.longest, .positions),
        .init(.post, "/log-ins/end", bodyLimit: form, .endAllLogIns),
        .init(.post, "/log-ins/{session}/end", bodyLimit: form, .endLogIn),
        .init(.get, "/sign-up", .signUp), .init(.post, "/sign-up", bodyLimit: form, .makeAccount),
        .init(.get, "/people", .people), .init(.get, "/people/audit", .audit),
        .init(.post, "/people/invite", bodyLimit: form, .invite),
        .init(.post, "/people/{account}/{change}", bodyLimit: form, .changePerson),
        .init(.get, "/plans", .plans), .init(.get, "/plan/{plan}", .plan),
        .init(.get, "/plan/{plan}/stream", .planStream),
        .init(.get, "/plan/{plan}/{file}", .planFile),
        .init(.post, "/look", bodyLimit: form, .look), .init(.get, "/gallery", .gallery),
        .init(.get, "/favicon.ico", .icon), .init(.get, "/health", .health),
    ])
}
