internal import GStreamerKit

/// The encoder of the newest snapshot, for who goes on to look: with it a picture takes three quarters of the time.
@HostActor
final class KeptEncoder {
    /// For the next snapshot; meanwhile it holds memory for a picture, and threads that wait.
    static let rest = ClockTime.seconds(5)

    private let clock: any HostClock
    private let workers: WorkerPool
    private var encoder: PictureEncoder?
    private var end: HostTimer?

    init(clock: any HostClock, workers: WorkerPool) {
        self.clock = clock
        self.workers = workers
    }

    deinit {
        if let encoder { workers.submit { encoder.close() } }
    }

    /// Nobody else has it then.
    func take(for request: SnapshotRequest, of picture: Picture) -> PictureEncoder? {
        guard let encoder, encoder.makes(request.format, size: request.size, of: picture) else { return nil }
        self.encoder = nil
        return encoder
    }

    /// In the place of the one before.
    func keep(_ encoder: PictureEncoder) {
        guard encoder.takesMore else { return }
        clear()
        self.encoder = encoder
        end = clock.schedule(after: Self.rest) { [weak self] in self?.clear() }
    }

    /// To end its threads takes a while, so that is not for main.
    func clear() {
        end?.cancel()
        guard let encoder else { return }
        self.encoder = nil
        workers.submit { encoder.close() }
    }
}
