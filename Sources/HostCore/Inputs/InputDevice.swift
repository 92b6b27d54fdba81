internal import CGLib
internal import GStreamerKit

/// One input of the config: opens its device, follows it, and waits for it where it is not there.
@HostActor
final class InputDevice {
    let settings: InputSettings
    private(set) var presence = InputPresence()
    private var presses: KeyPresses
    private var parser = InputEventParser()
    private var file: InputFile?
    private var changes: FileChanges?
    private var retry: HostTimer?
    private var holdTimer: HostTimer?
    private let clock: any HostClock
    private let log: Log
    private let grab: @HostActor (InputFile) -> Bool
    private let tell: @HostActor (KeyPresses.Notice) -> Void
    /// Presses since the start.
    private(set) var count = 0
    /// Nobody else gets its keys.
    private(set) var isGrabbed = false

    /// - Parameter grab: of an open device; false where another program has done so.
    init(
        _ settings: InputSettings, clock: any HostClock, log: Log, grab: @escaping @HostActor (InputFile) -> Bool,
        tell: @escaping @HostActor (KeyPresses.Notice) -> Void
    ) {
        self.settings = settings
        self.clock = clock
        self.log = log.from("input \(settings.name)")
        self.grab = grab
        self.tell = tell
        presses = KeyPresses(settings)
    }

    func start() { attempt() }

    /// Closes the device; keys that are down are told to be up.
    func stop() {
        changes = nil
        close()
    }

    /// Names of the keys that are down.
    var down: [String] { presses.down.map(KeyNames.name) }

    // MARK: - Coming and going

    private func attempt() {
        guard file == nil else { return }
        retry?.cancel()
        retry = nil
        // First, so that what comes between the two is seen.
        if changes == nil {
            changes = FileChanges(of: settings.device) { [weak self] in
                self?.presence.changed()
                self?.attempt()
            }
        }
        do throws(InputFile.Refusal) {
            let file = try InputFile(opening: settings.device)
            self.file = file
            changes = nil
            parser = InputEventParser()
            presses.begin()
            write(presence.opened(name: file.name))
            if settings.grab { take(file, isFirst: true) }
            file.watch { [weak self] in self?.read() }
        } catch {
            let (note, pause) = presence.refused(error)
            if let note { write(note) }
            retry = clock.schedule(after: pause) { [weak self] in self?.attempt() }
        }
    }

    private func take(_ file: InputFile, isFirst: Bool) {
        isGrabbed = grab(file)
        guard !isGrabbed else {
            if !isFirst { log.notice("\(settings.device) is grabbed now") }
            return
        }
        if isFirst {
            log.warning(
                "\(settings.device) cannot be grabbed: another program has done so; it is read without, and `grab: true` is "
                    + "tried again every \(Quantity.durationText(InputPresence.longestPause.nanoseconds)) at last")
        }
        retry = clock.schedule(after: presence.nextPause()) { [weak self] in
            if let self, let file = self.file { self.take(file, isFirst: false) }
        }
    }

    private func close() {
        retry?.cancel()
        retry = nil
        isGrabbed = false
        file = nil
        holdTimer?.cancel()
        holdTimer = nil
        post(presses.forget(at: clock.monotonic()))
    }

    // MARK: - Keys

    /// - Returns: whether there may be more.
    @discardableResult
    private func read() -> Bool {
        guard let file else { return false }
        let reading = file.read()
        let now = clock.monotonic()
        for var event in parser.take(reading.bytes) {
            // A time that is yet to come would hold a key for ever.
            if !file.hasTimes || event.at > now { event.at = now }
            post(presses.handle(event))
        }
        if let end = reading.end {
            close()
            write(presence.went(end))
            retry = clock.schedule(after: InputPresence.firstPause) { [weak self] in self?.attempt() }
            changes = FileChanges(of: settings.device) { [weak self] in
                self?.presence.changed()
                self?.attempt()
            }
            return false
        }
        arm()
        return !reading.bytes.isEmpty
    }

    private func arm() {
        holdTimer?.cancel()
        holdTimer = nil
        guard let due = presses.nextDue else { return }
        holdTimer = clock.schedule(after: max(.zero, due - clock.monotonic())) { [weak self] in self?.holdIsDue() }
    }

    /// The key may be up already: what lies in the file is older than this moment.
    private func holdIsDue() {
        let moment = clock.monotonic()
        var looks = 16
        while looks > 0, read() { looks -= 1 }
        post(presses.due(at: moment))
        arm()
    }

    private func post(_ notices: [KeyPresses.Notice]) {
        for notice in notices {
            if notice.press == .down { count += 1 }
            tell(notice)
        }
    }

    private func write(_ note: InputPresence.Note) {
        let path = settings.device
        switch note {
        case .there(let name): log.notice("\(path)\(name.map { " (\($0))" } ?? "") is there")
        case .absent: log.notice("\(path) is not there: waiting for it")
        case .gone(let end):
            var why = ""
            if case .failed(let number) = end { why = " (\(String(cString: g_strerror(number))))" }
            log.notice("\(path) is gone\(why): waiting for it")
        case .denied(let group):
            let user = String(cString: g_get_user_name())
            let owner = group.map { ", of group \($0)" } ?? ""
            let fix =
                group == "root"
                ? "a udev rule has to give it to a group, as `input`: it belongs to root alone"
                : "`sudo usermod -aG \(group ?? "input") \(user)`, and log in again; for a service: "
                    + "`SupplementaryGroups=\(group ?? "input")`"
            log.warning("user \(user) may not read \(path)\(owner): \(fix). It is asked for again when it changes")
        case .noInputDevice: log.warning("\(path) is no input device: waiting for one")
        case .failed(let number):
            log.warning("\(path) cannot be opened (\(String(cString: g_strerror(number)))): trying again")
        }
    }
}
