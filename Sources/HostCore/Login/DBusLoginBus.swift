internal import CGLib
internal import Glibc
internal import GStreamerKit

/// org.freedesktop.login1 over GDBus, on a connection of its own.
@HostActor
final class DBusLoginBus: LoginBus {
    static let name = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let sessions = "org.freedesktop.login1.Session"
    static let seats = "org.freedesktop.login1.Seat"
    static let properties = "org.freedesktop.DBus.Properties"

    var onEvent: (@HostActor (LoginStateMachine.Event) -> Void)?
    private let address: LoginBusAddress
    private let connection = DBusConnection(watching: DBusLoginBus.name)
    var files: [LoginInhibitor: Int32] = [:]
    /// To the signals and properties of the session that is followed, of the one that may be next, and of the seat.
    private var followed: [UInt32] = []
    private var candidate: [UInt32] = []
    /// The last that was heard of the candidate's lock.
    private var candidateWord: LoginStateMachine.Event?
    private var seat: [UInt32] = []
    /// Changes with each search: answers to earlier ones are nobody's business.
    private var search: UInt64 = 0
    /// The search that found the session that is followed.
    private var follows: UInt64?

    init(_ address: LoginBusAddress) {
        self.address = address
        connection.onEvent = { [weak self] in self?.follow($0) }
    }

    isolated deinit { for file in files.values { close(file) } }

    var absence: String? { address.absence }

    func connect() {
        disconnect()
        if let address = address.text { return connection.open(address) }
        let absence = absence ?? "it is gone"
        HostActor.enqueue { [weak self] in self?.onEvent?(.unreachable(absence)) }
    }

    func disconnect() {
        connection.close()
        forgetSubscriptions()
        search += 1
    }

    private func forgetSubscriptions() { (followed, candidate, seat, follows) = ([], [], [], nil) }

    private func follow(_ event: DBusConnection.Event) {
        forgetSubscriptions()
        search += 1
        switch event {
        case .unreachable(let why): onEvent?(.unreachable(why))
        case .vanished: onEvent?(.vanished)
        case .appeared:
            _ = connection.listen(to: Self.manager, at: Self.path) { [weak self] in self?.heard($0, $1) }
            onEvent?(.appeared)
        }
    }

    private func heard(_ member: String, _ arguments: OpaquePointer) {
        switch member {
        case "PrepareForSleep" where mh_variant_is(arguments, "(b)") != 0:
            onEvent?(.sleep(DBusValue.flag(arguments, 0)))
        case "PrepareForShutdown" where mh_variant_is(arguments, "(b)") != 0:
            onEvent?(.shutdown(DBusValue.flag(arguments, 0)))
        case "SessionNew": onEvent?(.sessionAdded)
        case "SessionRemoved" where mh_variant_is(arguments, "(so)") != 0:
            onEvent?(.sessionRemoved(DBusValue.text(arguments, 0)))
        default: break
        }
    }

    // MARK: - The manager

    func askManager() {
        ask(Self.path, Self.properties, "GetAll", [g_variant_new_string(Self.manager)]) { [weak self] result in
            let manager = (try? result.get()).map(Self.manager(of:)) ?? .init()
            self?.onEvent?(.manager(manager))
        }
    }

    /// What is not there, or of another type than it should be, is not told.
    private static func manager(of answer: DBusAnswer) -> LoginStateMachine.Manager {
        var manager = LoginStateMachine.Manager()
        guard answer.isA("(a{sv})"), let all = DBusValue.member(answer.value, 0) else { return manager }
        defer { g_variant_unref(all) }
        manager.isPreparingForSleep = DBusValue.flag("PreparingForSleep", in: all)
        manager.isPreparingForShutdown = DBusValue.flag("PreparingForShutdown", in: all)
        if let limit = DBusValue.named("InhibitDelayMaxUSec", "t", in: all) {
            defer { g_variant_unref(limit) }
            // "Infinity" is the largest number.
            let microseconds = Int64(clamping: g_variant_get_uint64(limit))
            manager.limit = ClockTime(nanoseconds: min(microseconds, .max / 1000) * 1000)
        }
        return manager
    }

    func take(_ inhibitor: LoginInhibitor) {
        let words = [inhibitor.what, "mediahost", inhibitor.why, inhibitor.mode]
        ask(Self.path, Self.manager, "Inhibit", words.map { g_variant_new_string($0) }) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let answer):
                guard let file = answer.file(0) else {
                    self.onEvent?(.refused(inhibitor, "its answer is no file"))
                    return
                }
                self.release(inhibitor)
                self.files[inhibitor] = file
                self.onEvent?(.taken(inhibitor))
            case .failure(let failure): self.onEvent?(.refused(inhibitor, failure.text))
            }
        }
    }

    func release(_ inhibitor: LoginInhibitor) {
        if let file = files.removeValue(forKey: inhibitor) { close(file) }
    }

    // MARK: - The session

    func find(_ question: LoginSession.Question) {
        // The one that is followed is heard until there is another one.
        ignore(&seat)
        ignore(&candidate)
        search += 1
        switch question {
        case .id(let id): findSession("GetSession", g_variant_new_string(id))
        case .ofProcess: findSession("GetSessionByPID", g_variant_new_uint32(UInt32(getpid())))
        case .active: findActive()
        }
    }

    private func findSession(_ method: String, _ argument: OpaquePointer?) {
        look(Self.path, Self.manager, method, [argument]) { bus, answer in
            guard answer.isA("(o)") else { return bus.tellNone("its answer is no object") }
            bus.followSession(at: DBusValue.text(answer.value, 0))
        }
    }

    private func findActive() {
        look(Self.path, Self.manager, "GetSeat", [g_variant_new_string("seat0")]) { bus, answer in
            guard answer.isA("(o)") else { return bus.tellNone("its answer is no object") }
            let seat = DBusValue.text(answer.value, 0)
            let changes = bus.listen(to: seat) { bus, changed, names in
                if DBusValue.has("ActiveSession", in: changed) || names.contains("ActiveSession") {
                    bus.onEvent?(.activeChanged)
                }
            }
            bus.seat = [changes]
            let name = [g_variant_new_string(Self.seats), g_variant_new_string("ActiveSession")]
            bus.look(seat, Self.properties, "Get", name) { bus, answer in
                guard let path = DBusValue.objectOfPair(in: answer.value) else {
                    return bus.tellNone("no session of seat0 is active")
                }
                bus.followSession(at: path, isUsers: true)
            }
        }
    }

    /// - Parameter isUsers: whether it must be a user's: a greeter has nothing to lock.
    private func followSession(at path: String, isUsers: Bool = false) {
        let search = search
        candidateWord = nil
        let signals = connection.listen(to: Self.sessions, at: path) { [weak self] member, _ in
            switch member {
            case "Lock": self?.heard(.lock, since: search)
            case "Unlock": self?.heard(.unlock, since: search)
            default: break
            }
        }
        let hints = listen(to: path) { bus, changed, _ in
            if let hint = DBusValue.flag("LockedHint", in: changed) { bus.heard(.lockedHint(hint), since: search) }
        }
        candidate = [signals, hints]
        look(path, Self.properties, "GetAll", [g_variant_new_string(Self.sessions)]) { bus, answer in
            guard answer.isA("(a{sv})"), let all = DBusValue.member(answer.value, 0) else {
                return bus.tellNone("it tells nothing of the session \(path)")
            }
            defer { g_variant_unref(all) }
            guard let id = DBusValue.named("Id", "s", in: all) else {
                return bus.tellNone("the session \(path) has no ID")
            }
            defer { g_variant_unref(id) }
            if isUsers, let kind = DBusValue.named("Class", "s", in: all) {
                defer { g_variant_unref(kind) }
                let name = String(cString: g_variant_get_string(kind, nil))
                guard !Self.others.contains(name) else {
                    bus.ignore(&bus.candidate)
                    return bus.tellNone("the active session of seat0 is no user's (\(name))")
                }
            }
            bus.ignore(&bus.followed)
            (bus.followed, bus.candidate) = (bus.candidate, [])
            let session = LoginSession(
                id: String(cString: g_variant_get_string(id, nil)),
                isLocked: DBusValue.flag("LockedHint", in: all) ?? false)
            let word = bus.candidateWord
            bus.follows = search
            bus.onEvent?(.found(session))
            // It was told before the answer, and a desktop that sends signals alone has no hint.
            if let word { bus.onEvent?(word) }
        }
    }

    /// A word of the lock: of the session that is followed it is told, of the one that may be next it is kept.
    private func heard(_ word: LoginStateMachine.Event, since search: UInt64) {
        if search == follows { onEvent?(word) } else { candidateWord = word }
    }

    /// Classes of sessions in which somebody logs in or unlocks, but does not work.
    private static let others: Set<String> = ["greeter", "lock-screen"]

    private func ignore(_ subscriptions: inout [UInt32]) {
        for subscription in subscriptions { connection.ignore(subscription) }
        subscriptions = []
    }

    /// To the changes of an object's properties, by the values of those that are told and the names of those that are not.
    private func listen(
        to path: String,
        _ changed: @escaping @HostActor @Sendable (DBusLoginBus, OpaquePointer, _ names: [String]) -> Void
    ) -> UInt32 {
        connection.listen(to: Self.properties, at: path) { [weak self] member, arguments in
            guard let self, member == "PropertiesChanged", mh_variant_is(arguments, "(sa{sv}as)") != 0,
                let values = DBusValue.member(arguments, 1)
            else { return }
            defer { g_variant_unref(values) }
            changed(self, values, DBusValue.texts(arguments, 2))
        }
    }

    private func tellNone(_ why: String) { onEvent?(.notFound(why)) }

    // MARK: - Asking

    private func ask(
        _ path: String, _ interface: String, _ method: String, _ arguments: [OpaquePointer?],
        _ done: @escaping DBusConnection.Answered
    ) {
        connection.callOwner(at: path, interface, method, DBusValue.tuple(arguments), done)
    }

    /// Errors that say that there is none; the last one of a session that ends between two questions.
    private static let absences: Set<String> = [
        "\(name).NoSuchSession", "\(name).NoSessionForPID", "\(name).NoSuchSeat",
        "org.freedesktop.DBus.Error.UnknownObject",
    ]

    /// Asks for the session.
    private func look(
        _ path: String, _ interface: String, _ method: String, _ arguments: [OpaquePointer?],
        _ done: @escaping @HostActor @Sendable (DBusLoginBus, DBusAnswer) -> Void
    ) {
        let search = search
        ask(path, interface, method, arguments) { [weak self] result in
            guard let self, self.search == search else { return }
            switch result {
            case .success(let answer): done(self, answer)
            case .failure(let failure) where Self.absences.contains(failure.name ?? ""): self.tellNone(failure.text)
            // That it is gone is told, and when it is back all is asked anew.
            case .failure(let failure): if !failure.isLost { self.onEvent?(.notAnswered(failure.text)) }
            }
        }
    }
}
