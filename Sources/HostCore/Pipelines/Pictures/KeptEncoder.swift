internal import GStreamerKit

/// The encoder of the newest snapshot, for who goes on to look: with it a picture takes two thirds of the time.
@HostActor
final class KeptEncoder {
    /// For the next snapshot of somebody who looks on; it holds two pictures and four threads that wait.
    static let rest = ClockTime.seconds(5)

    private let clock: any HostClock
    private let workers: WorkerPool
    private var encoder: PictureEncoder?
    private var end: HostTimer?

    init(clock: any HostClock, workers: WorkerPool) {
        self.clock = clock
        self.workers = workers
    }

    /// Nobody else has it then.
    func take(for request: SnapshotRequest, of picture: Picture) -> PictureEncoder? {
        guard let encoder, encoder.makes(request.format, size: request.size, of: picture) else { return nil }
        self.encoder = nil
        end?.cancel()
        return encoder
    }

    /// In the place of the one before.
    func keep(_ encoder: PictureEncoder) {
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
