internal import GStreamerKit

/// Audio outputs as GStreamer's device providers tell of them; what may block is done by a worker.
@HostActor
final class DeviceOutputMonitor: OutputMonitor {
    var onEvent: (@HostActor (OutputPresence.Event) -> Void)?
    private let worker: SerialWorker
    private var watch: DeviceWatch?

    /// - Parameter worker: shared by all monitors of a host: one starts when the one before has stopped.
    init(_ worker: SerialWorker) { self.worker = worker }

    func start() {
        let watch = DeviceWatch(.audioSink) { [weak self] change in
            HostActor.assumeIsolated {
                switch change {
                case .added(let output): self?.onEvent?(.added(output))
                case .removed(let output): self?.onEvent?(.removed(output))
                case .changed(let from, let to): self?.onEvent?(.changed(from: from, to: to))
                }
            }
        }
        self.watch = watch
        worker.submit { [weak self] in
            let event = watch.start().map { OutputPresence.Event.begun($0) } ?? .unlisted
            HostActor.enqueue { self?.onEvent?(event) }
        }
    }

    func stop() {
        onEvent = nil
        guard let watch else { return }
        self.watch = nil
        worker.submit { watch.stop() }
    }
}
