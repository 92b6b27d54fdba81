internal import GStreamerKit
internal import HostCore
internal import Locking
internal import PluginABI

/// What stands behind `mh.notify.draft/1` of a fake host: the host's own decisions, and a service that answers at once.
///
/// Lock order: `state` is a leaf.
final class FakeNotifications: Sendable {
    private struct State: Sendable {
        var machine = NotificationStateMachine()
        var service = FakeNotificationService.there
        /// Tokens on the screen, by the service's numbers.
        var shown: [UInt32: UInt64] = [:]
        var last: UInt32 = 0
        var requests: [UInt64: NotificationRequest] = [:]
        /// Tokens that the plugin may hear of.
        var heard: Set<UInt64> = []
        var reports: [(UInt64, NotificationReport)] = []
        /// Active, or in `activate`.
        var isOpen = false

        mutating func perform(_ actions: [NotificationStateMachine.Action], _ now: ClockTime) {
            for action in actions {
                for event in answer(action) { perform(machine.handle(event, at: now), now) }
            }
        }

        private mutating func answer(
            _ action: NotificationStateMachine.Action
        ) -> [NotificationStateMachine.Event] {
            switch action {
            case .connect: return [service == .there ? .appeared : .vanished]
            case .startService: return [.notStarted("the test has none")]
            case .askAbilities: return [.abilities(["actions", "body", "body-markup"])]
            case .send(let token, let message):
                if message.replaces == 0 { last += 1 }
                let number = message.replaces == 0 ? last : message.replaces
                shown[number] = token
                return [.sent(token, .shown(number))]
            case .close(let number): shown[number] = nil
            case .tell(let token, let report): reports.append((token, report))
            case .disconnect, .retryLater, .beginDeadline, .endDeadline, .note: break
            }
            return []
        }

        func number(of token: UInt64) -> UInt32? { shown.first { $0.value == token }?.key }
    }

    /// The instance that a fake host stands for.
    private static let instance = "under-test"
    private let state = Locked(State())

    var open: [FakeNotification] {
        state.withLock { state in
            let shown = Set(state.shown.values)
            return (shown.union(state.machine.queue)).sorted().compactMap { token in
                state.requests[token].map { FakeNotification(token, $0, isShown: shown.contains(token)) }
            }
        }
    }

    func set(_ service: FakeNotificationService, at now: Int64) {
        let now = ClockTime(nanoseconds: now)
        state.withLock { state in
            guard service != state.service else { return }
            let before = state.service
            state.service = service
            state.shown = [:]
            switch service {
            case .missing: state.perform(state.machine.busChanged(isThere: false), now)
            case .there where before == .away: state.perform(state.machine.handle(.appeared, at: now), now)
            case .away where before == .there: state.perform(state.machine.handle(.vanished, at: now), now)
            case .there, .away:
                state.perform(state.machine.busChanged(isThere: true), now)
                state.perform(state.machine.prepare(), now)
            }
        }
    }

    /// What becomes of the first notification is known before it is shown, as where a plugin requires the extension.
    func begin() {
        state.withLock { state in
            state.isOpen = true
            if state.service != .missing { state.perform(state.machine.prepare(), .zero) }
        }
    }

    /// The plugin hears nothing more.
    func end() {
        state.withLock { state in
            state.isOpen = false
            state.heard = []
            state.reports = []
            state.perform(state.machine.instanceEnded(Self.instance), .zero)
        }
    }

    func expire(at now: Int64) {
        let now = ClockTime(nanoseconds: now)
        state.withLock { $0.perform($0.machine.expire(at: now), now) }
    }

    func press(_ action: String, on token: UInt64, at now: Int64) -> Bool {
        let now = ClockTime(nanoseconds: now)
        return state.withLock { state in
            guard let number = state.number(of: token) else { return false }
            state.perform(state.machine.handle(.chosen(number, action: action), at: now), now)
            if state.requests[token]?.isResident != true { Self.close(number, 2, &state, now) }
            return true
        }
    }

    func close(_ token: UInt64, _ why: mh_notification_end, at now: Int64) -> Bool {
        state.withLock { state in
            guard let number = state.number(of: token) else { return false }
            Self.close(number, UInt32(bitPattern: why), &state, ClockTime(nanoseconds: now))
            return true
        }
    }

    private static func close(_ number: UInt32, _ code: UInt32, _ state: inout State, _ now: ClockTime) {
        state.shown[number] = nil
        state.perform(state.machine.handle(.closed(number, code: code), at: now), now)
    }

    func takeReports() -> [(UInt64, NotificationReport)] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }

    /// Whether it is still to be told.
    func isToHear(_ token: UInt64, _ report: NotificationReport) -> Bool {
        state.withLock { state in
            if case .closed = report { return state.heard.remove(token) != nil }
            return state.heard.contains(token)
        }
    }

    private func show(_ request: NotificationRequest, at now: Int64) -> (mh_status, mh_token) {
        let now = ClockTime(nanoseconds: now)
        return state.withLock { state in
            guard state.isOpen else { return (mh_status(truncatingIfNeeded: MH_E_STATE), 0) }
            guard state.service != .missing else { return (mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED), 0) }
            let (answer, actions) = state.machine.show(
                request, for: Self.instance, called: "under test", at: now)
            if let token = answer.token {
                state.requests[token] = request
                state.heard.insert(token)
            }
            state.perform(actions, now)
            switch answer {
            case .onItsWay(let token): return (0, token)
            case .kept(let token): return (mh_status(truncatingIfNeeded: MH_E_BUSY), token)
            case .unavailable: return (mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED), 0)
            case .tooMany: return (mh_status(truncatingIfNeeded: MH_E_LIMIT), 0)
            }
        }
    }

    private func withdraw(_ token: mh_token) -> mh_status {
        state.withLock { state in
            guard state.heard.remove(token) != nil else { return mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) }
            state.perform(state.machine.withdraw(token).actions, .zero)
            return 0
        }
    }

    static func table() -> mh_notify_host_1 {
        mh_notify_host_1(
            show: { host, notification, token in
                token?.pointee = 0
                guard let fake = FakeHost.of(host), let notification, let token else {
                    return mh_status(truncatingIfNeeded: MH_E_INVALID)
                }
                do throws(NotificationRequest.Refusal) {
                    let request = try NotificationRequest(copying: notification.pointee)
                    let (status, taken) = fake.notifying.show(request, at: fake.time(.boottime))
                    token.pointee = taken
                    return status
                } catch {
                    let reason = error.reason
                    fake.write { $0.log.append("cannot show a notification: \(reason)") }
                    return mh_status(truncatingIfNeeded: MH_E_INVALID)
                }
            },
            withdraw: { host, token in
                FakeHost.of(host)?.notifying.withdraw(token) ?? mh_status(truncatingIfNeeded: MH_E_INVALID)
            })
    }
}

extension FakeNotification {
    init(_ token: UInt64, _ request: NotificationRequest, isShown: Bool) {
        self.init(
            token: token, summary: request.summary, body: request.body, key: request.key, icon: request.icon,
            category: request.category, sound: request.sound,
            actions: request.actions.map { Action(id: $0.id, label: $0.label) }, urgency: request.urgency.rawValue,
            expireMilliseconds: nil, isResident: request.isResident, isTransient: request.isTransient,
            endsWithInstance: request.endsWithInstance, isShown: isShown)
        switch request.expiry {
        case .byDefault: break
        case .never: expireMilliseconds = -1
        case .after(let time): expireMilliseconds = time.nanoseconds / 1_000_000
        }
    }
}
