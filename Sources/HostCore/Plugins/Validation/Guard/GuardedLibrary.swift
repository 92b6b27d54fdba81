internal import CMemory
internal import PluginABI
import Locking

/// A library under trial and its instances: the plugin's end of the wire.
///
/// Lock order: `instances` is a leaf.
final class GuardedLibrary: CallTarget {
    private let path: String
    private let host: any CallTarget
    private let workers = WorkerPool()
    private let rawHost: (@Sendable (Int64) -> UnsafeMutableRawPointer?)?
    private let instances = Locked<[Int64: GuardedPlugin]>([:])
    // Set once on the control thread before any instance is.
    private nonisolated(unsafe) var library: OpenedLibrary?

    /// - Thread: main.
    var opened: OpenedLibrary? { library }

    /// - Parameters:
    ///   - host: where the plugin's calls go.
    ///   - rawHost: the `host_data` behind an instance, where the host is in this process; nil elsewhere.
    init(
        _ path: String, host: any CallTarget,
        rawHost: (@Sendable (Int64) -> UnsafeMutableRawPointer?)? = nil
    ) {
        self.path = path
        self.host = host
        self.rawHost = rawHost
    }

    /// - Thread: as the function; `open` and `create` on the control thread.
    func perform(_ call: TrialCall) -> [Value] {
        guard let function = PluginFunction(rawValue: call.function) else { return [] }
        switch function {
        case .open: return open()
        case .create: return create(call)
        case .settle:
            settle()
            return []
        default:
            guard let plugin = instances.withLock({ $0[call.instance] }) else { return [] }
            let answer = plugin.perform(function, call)
            if function == .destroy { instances.withLock { _ = $0.removeValue(forKey: call.instance) } }
            return answer
        }
    }

    private func open() -> [Value] {
        do throws(PluginFailure) {
            let opened = try OpenedLibrary.open(path)
            library = opened
            return [opened.facts.value]
        } catch {
            return [.null, .string(error.description)]
        }
    }

    private func create(_ call: TrialCall) -> [Value] {
        guard let library, let id = call[0].string else { return ["the library is not open"] }
        let name = call[1].string ?? "tried"
        // An address to be compared.
        nonisolated(unsafe) let symbol = library.symbol
        if HostActor.isCurrent { HostActor.assumeIsolated { CrashReport.note(symbol, plugins: [name]) } }
        let data = rawHost?(call.instance)
        let hasData = data != nil
        let areAllGuarded = HostInterface.ids.allSatisfy(GuardTables.guards)
        let plugin = GuardedPlugin(
            call.instance, name, host: host, isHere: rawHost != nil, hostData: areAllGuarded ? nil : data,
            workers: workers,
            extensions: { id in
                guard hasData else {
                    TrialPipe.note(
                        "\(id) is not forwarded to another process yet; the plugin was told that it is not there")
                    return nil
                }
                TrialPipe.note("calls of \(id) are not checked yet")
                return HostInterface.table(id)
            })
        if let failure = plugin.create(library.factory, id) { return [.string(failure)] }
        instances.withLock { $0[call.instance] = plugin }
        return [.null]
    }

    /// What nobody gave back.
    private func settle() {
        let builders = GuardTables.Builders.takeForgotten()
        if builders > 0 {
            TrialPipe.tell(
                TrialFault(
                    "left \(builders) value builders unconsumed",
                    expected: "a builder ends in the call that consumes it, or in discard (mediahost/value.h)",
                    fix: "discard a builder that is not sent"))
        }
        let buffers = GuardedBuffers.takeForgotten()
        if buffers > 0 {
            TrialPipe.tell(
                TrialFault(
                    "kept \(buffers) buffers that it never released",
                    expected: "one release for each retain that returned a buffer (mediahost/tap.h)",
                    fix: "release what is kept in deactivate or detached"))
        }
    }
}
