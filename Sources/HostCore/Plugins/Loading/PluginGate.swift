internal import GStreamerKit
import Locking

/// Decides whether a library may be mapped into this process: found, read, and tried in a process of its own, now or earlier.
///
/// ```
///   name ──search──▶ file ──ELF──▶ cache ──unknown──▶ probe in a child ──▶ verdict, kept for this run and the next
/// ```
/// Lock order: `verdicts` and `places` are leaves.
public final class PluginGate: Sendable {
    /// What is known of one file in this run.
    private struct Known: Sendable {
        var identity: LibraryIdentity
        var verdict: LibraryVerdict
        /// When it was quarantined, where that was in an earlier run.
        var since: Int64?
    }

    /// How a config names a library.
    private struct Module: Hashable, Sendable {
        let name: String
        let searchPath: [String]

        init(_ plugin: PluginDescription) {
            name = plugin.module
            searchPath = plugin.searchPath
        }
    }

    /// Where it was found, or why it was not.
    private typealias Place = Result<String, PluginFailure>

    /// What is told of one library.
    enum Standing: Sendable, Equatable {
        /// Without facts where it was not probed.
        case sound(LibraryFacts?)
        case quarantined(PluginFailure, since: Int64)
        case broken(PluginFailure)
    }

    let search: PluginSearch
    private let probe: LibraryProbe?
    private let cache: ProbeCacheFile
    private let probesAgain: Bool
    private let clock: any HostClock
    private let log: Log
    private let verdicts = Locked<[String: Known]>([:])
    private let places = Locked<[Module: Place]>([:])

    /// - Parameters:
    ///   - probe: nil maps libraries without trying them, for tests in a process of their own.
    ///   - probesAgain: whether what earlier runs found counts for nothing.
    init(
        search: PluginSearch, probe: LibraryProbe?, cache: ProbeCacheFile, probesAgain: Bool = false,
        clock: any HostClock = SystemClock(), log: Log
    ) {
        self.search = search
        self.probe = probe
        self.cache = cache
        self.probesAgain = probesAgain
        self.clock = clock
        self.log = log
    }

    /// What `mediahost` itself uses.
    public convenience init(
        environment: [String: String], probesAgain: Bool = false, log: Log
    ) {
        self.init(
            search: PluginSearch(environment: environment),
            probe: LibraryProbe(environment: environment, limit: LibraryProbe.limit(environment, log: log)),
            cache: ProbeCacheFile(environment: environment, log: log), probesAgain: probesAgain, log: log)
    }

    /// Asks plugins for their commands in the way they are probed; nil where none is.
    var survey: CommandSurvey? {
        probe.map { CommandSurvey(executable: $0.executable, environment: $0.environment, limit: $0.limit) }
    }

    /// Libraries as they are, neither probed nor remembered.
    public convenience init(unprobed search: PluginSearch, log: Log) {
        self.init(search: search, probe: nil, cache: ProbeCacheFile(path: nil, log: log), log: log)
    }

    /// Finds the libraries of some plugins and tries those that are not known. What is wrong, `library` says.
    /// - Thread: worker, or a process that has nothing else to do: takes up to the probe's limit for each.
    public func admit(_ plugins: [PluginDescription]) {
        for plugin in plugins {
            if let path = find(plugin) { _ = standing(of: path) }
        }
    }

    /// Looks for the library of a plugin and keeps the place; nil where there is none.
    /// - Thread: as `admit`.
    func find(_ plugin: PluginDescription) -> String? {
        let module = Module(plugin)
        do throws(PluginFailure) {
            let path = try search.file(of: plugin)
            places.withLock { $0[module] = .success(path) }
            return path
        } catch {
            // One that was found and is gone may still be mapped.
            places.withLock { if (try? $0[module]?.get()) == nil { $0[module] = .failure(error) } }
            return nil
        }
    }

    /// Where the library of a plugin was found, when it was last looked for.
    /// - Thread: any; waits for nobody.
    func place(of plugin: PluginDescription) throws(PluginFailure) -> String {
        guard let place = places.withLock({ $0[Module(plugin)] }) else {
            throw PluginFailure("the library of \(plugin.name) has not been looked for", help: "try again")
        }
        return try place.get()
    }

    /// The file of a plugin that was admitted.
    /// - Thread: any; waits for nobody.
    func library(of plugin: PluginDescription) throws(PluginFailure) -> String {
        let path = try place(of: plugin)
        let identity = try LibraryIdentity.read(path)
        guard let known = verdicts.withLock({ $0[identity.path] }) else {
            throw PluginFailure("\(path) has not been probed", help: "try again")
        }
        guard known.identity == identity else {
            throw PluginFailure("\(path) changed after it was probed", help: "try again")
        }
        switch Self.standing(known, path) {
        case .sound: return identity.path
        case .quarantined(let failure, _), .broken(let failure): throw failure
        }
    }

    /// Tries a library that is not known.
    /// - Thread: worker, or a process that has nothing else to do.
    func standing(of path: String) -> Standing {
        let identity: LibraryIdentity
        do throws(PluginFailure) {
            identity = try LibraryIdentity.read(path)
        } catch {
            return .broken(error)
        }
        if let known = verdicts.withLock({ $0[identity.path] }), known.identity == identity {
            return Self.standing(known, path)
        }
        let known = judge(identity, path)
        verdicts.withLock { $0[identity.path] = known }
        return Self.standing(known, path)
    }

    private func judge(_ identity: LibraryIdentity, _ path: String) -> Known {
        do throws(PluginFailure) {
            try LibraryFile.check(path)
        } catch {
            return Known(identity: identity, verdict: .refused(error))
        }
        guard let probe else {
            return Known(identity: identity, verdict: .unprobed(PluginFailure("no probe is wanted")))
        }
        if !probesAgain, let entry = cache.read().entry(for: identity) {
            switch entry.outcome {
            case .sound(let facts): return Known(identity: identity, verdict: .sound(facts))
            case .dangerous(let fault):
                return Known(identity: identity, verdict: .dangerous(fault), since: entry.probed)
            }
        }
        let begin = clock.monotonic()
        let verdict = probe.run(path)
        log.debug("probed \(path) in \(clock.monotonic() - begin)")
        let outcome: ProbeCache.Outcome? =
            switch verdict {
            case .sound(let facts): .sound(facts)
            case .dangerous(let fault): .dangerous(fault)
            case .refused: nil
            case .unprobed(let failure): unprobed(failure)
            }
        if let outcome {
            cache.keep(
                ProbeCache.Entry(identity: identity, probed: clock.realtime().nanoseconds, outcome: outcome))
        }
        return Known(identity: identity, verdict: verdict)
    }

    /// A board without room for one more process still has plugins that worked yesterday.
    private func unprobed(_ failure: PluginFailure) -> ProbeCache.Outcome? {
        log.warning("\(failure.message); it is loaded without a probe")
        return nil
    }

    private static func standing(_ known: Known, _ path: String) -> Standing {
        switch known.verdict {
        case .sound(let facts): return .sound(facts)
        case .unprobed: return .sound(nil)
        case .refused(let failure): return .broken(failure)
        case .dangerous(let fault):
            let words = fault.lastWords.isEmpty ? "" : "; it wrote: \(fault.lastWords)"
            let again = "replace the file, or try it again with `mediahost plugin info --probe-again \(path)`"
            guard let since = known.since else {
                return .quarantined(
                    PluginFailure(
                        "\(path) \(fault.text)\(words)", help: "it is in quarantine from now on: \(again)"),
                    since: 0)
            }
            let date = DateText.utc(ClockTime(nanoseconds: since))
            return .quarantined(
                PluginFailure("\(path) is in quarantine since \(date): it \(fault.text)\(words)", help: again),
                since: since)
        }
    }
}
