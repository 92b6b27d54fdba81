import Foundation
import HostCore
import HostTestKit
import Locking
import PluginABI
import Testing

@testable import LaundryTimers
@testable import PluginKit

let second: Int64 = 1_000_000_000
let minute: Int64 = 60 * second
/// 2026-01-01.
let newYear: Int64 = 1_767_225_600 * second

/// A directory of one test, gone with the test; in memory where there is such a place, since each commit waits for the disk.
final class Folder: Sendable {
    let path: String

    init() throws {
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(place)/mh-timers-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// What a process that was killed now would leave behind.
    func copy() throws -> Folder {
        let other = try Folder()
        for name in names {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(other.path)/\(name)")
        }
        return other
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var store: String { "\(path)/timers.db" }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// The plugin on a machine that a test makes up.
final class TestTimers: MediaPlugin, LiveConfigurable {
    static let descriptor = LaundryTimersPlugin.descriptor
    /// By state directory.
    static let machines = Locked<[String: TimerEnvironment]>([:])

    private let inner: LaundryTimersPlugin

    init(host: PluginKit.Host, settings: TimerSettings) throws(PluginError) {
        let place = try host.stateDirectory()
        let machine = Self.machines.withLock { $0[place] } ?? .machine
        inner = try LaundryTimersPlugin(host: host, settings: settings, environment: machine)
    }

    func activate() throws(PluginError) { try inner.activate() }
    func deactivate() { inner.deactivate() }
    func lifecycle(
        _ change: PluginKit.LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement
    ) { inner.lifecycle(change, state: state, acknowledgement: acknowledgement) }
    var commands: [Command] { inner.commands }
    var subscriptions: [String] { inner.subscriptions }
    func handle(_ event: PluginEvent) { inner.handle(event) }
    func onMain() { inner.onMain() }
    func validate(_ settings: TimerSettings) throws(PluginError) { try inner.validate(settings) }
    func apply(_ settings: TimerSettings) throws(PluginError) { try inner.apply(settings) }
}

/// A board with a disk: it may be switched off, and its host killed.
final class Board {
    struct Machine: Sendable {
        var boot = 1
        var isSynchronised = true
    }

    private(set) var folder: Folder
    private(set) var instance: FakeInstance
    private var now = newYear
    private let config: Value
    private let vfs: String?

    init(
        _ config: Value = ["pets": [["id": "snowy", "name": "Snowy"]]], on disk: Folder? = nil, vfs: String? = nil
    ) throws {
        folder = try disk ?? Folder()
        self.config = config
        self.vfs = vfs
        Self.equip(folder, shared, vfs)
        instance = try Self.start(folder, newYear, config)
        instance.settle()
    }

    /// What the plugin's environment looks at.
    final class Shared: Sendable { let machine = Locked(Machine()) }
    let shared = Shared()

    private static func equip(_ folder: Folder, _ shared: Shared, _ vfs: String?) {
        TestTimers.machines.withLock { [path = folder.path] in
            $0[path] = TimerEnvironment(
                bootID: { "boot-\(shared.machine.withLock { $0.boot })" },
                isSynchronised: { shared.machine.withLock { $0.isSynchronised } }, vfs: vfs)
        }
    }

    private static func start(_ folder: Folder, _ now: Int64, _ config: Value) throws -> FakeInstance {
        let fake = FakeHost()
        fake.setNow(now)
        fake.setStateDirectory(folder.path)
        return try FakeInstance.running(
            TestTimers.descriptor.id, of: PluginEntry.entry(for: TestTimers.self), config: config, in: fake)
    }

    var fake: FakeHost { instance.fake }

    /// Time passes, and all that comes of it is done.
    func pass(_ span: Duration) throws {
        try instance.advance(by: span)
        instance.settle()
        now += span.wholeNanoseconds
    }

    func ask(_ command: String, _ parameters: Value = [:]) throws -> Value {
        let answer = try instance.ask(command, parameters)
        instance.settle()
        return answer
    }

    /// The host ends, time passes, and another one starts.
    /// - Parameter reboot: the machine, too: its boottime begins anew.
    func restart(after span: Duration, reboot: Bool = false) throws {
        instance.end()
        now += span.wholeNanoseconds
        if reboot { shared.machine.withLock { $0.boot += 1 } }
        instance = try Self.start(folder, now, config)
        instance.settle()
    }

    /// The host is killed, and another one starts on what it left.
    func kill(after span: Duration) throws {
        let left = try folder.copy()
        instance.end()
        folder = left
        Self.equip(folder, shared, vfs)
        now += span.wholeNanoseconds
        instance = try Self.start(folder, now, config)
        instance.settle()
    }

    func end() { instance.end() }

    /// Posted events of this name, without the plugin's id.
    func events(_ name: String) -> [Value] {
        fake.seen.posted.filter { $0.name == "\(TestTimers.descriptor.id).\(name)" }.map(\.payload)
    }
}

/// A keeper without a host, on clocks that a test sets.
struct Bench {
    let folder: Folder
    var now = Moment(boottime: 1000 * second, realtime: newYear)
    var boot = "boot-1"
    var isSynchronised = true
    var keeper: TimerKeeper
    private let lead: Int64

    /// - Parameter lead: how long before its end a timer is made ready for main.
    init(pets: [String] = ["snowy"], lead: Int64 = 0) throws {
        folder = try Folder()
        self.lead = lead
        keeper = try TimerKeeper(
            TimerStore(folder.store), bootID: boot, now: now, isSynchronised: isSynchronised, lead: lead)
        for pet in pets { _ = try ask(.definePet(PetDefinition(id: pet))) }
    }

    mutating func pass(_ nanoseconds: Int64) {
        now.boottime += nanoseconds
        now.realtime += nanoseconds
    }

    func perform(_ orders: [TimerOrder] = []) throws -> TimerKeeper.Round {
        let round = try keeper.perform(orders, at: now, isSynchronised: isSynchronised)
        try keeper.makeReady()
        return round
    }

    @discardableResult
    func ask(_ order: TimerOrder) throws -> TimerAnswer {
        try #require(try perform([order]).answers.first).get()
    }

    /// Another host on the same file.
    mutating func restart() throws {
        let path = folder.store
        keeper = try TimerKeeper(
            Self.free(&keeper, path), bootID: boot, now: now, isSynchronised: isSynchronised, lead: lead)
    }

    /// The file is free only when the old keeper is gone.
    private static func free(_ keeper: inout TimerKeeper, _ path: String) throws -> TimerStore {
        keeper.store.close()
        return try TimerStore(path)
    }

    func start(
        _ pet: String = "snowy", _ kind: TimerKind = .wash, _ duration: Int64? = nil, _ basis: Basis = .elapsed
    ) throws -> TimerReport? {
        guard
            case .timer(let timer) = try ask(
                .start(StartRequest(pet: pet, kind: kind, duration: duration.map { .nanoseconds($0) }, basis: basis)))
        else { return nil }
        return timer
    }

    func status(_ pet: String = "snowy") throws -> PetReport? {
        guard case .pet(let report) = try ask(.status(pet)) else { return nil }
        return report
    }
}
