/// The bodies that are on their way from files to clients, each on a worker, so that no disk and no client keeps anybody else.
///
/// - Thread: main.
@HostActor
final class Downloads {
    /// At one time.
    nonisolated static let most = 32

    private let workers = WorkerPool()
    private var running: [UInt64: (download: Download, origin: RequestOrigin)] = [:]
    private var places = SharedPlaces(most)
    private var last: UInt64 = 0
    private var isStopped = false

    var count: Int { running.count }

    /// Why no more can begin now.
    ///
    /// - Parameter origin: by which way who asks came.
    func refusal(from origin: RequestOrigin) -> ControlError? {
        if isStopped { return ControlError(.busy, "the host is stopping") }
        if places.hasRoom(for: Self.place(of: origin)) { return nil }
        return ControlError(.busy, "\(running.count) files are being sent: try again later")
    }

    /// Sends a body. The connection is closed when it is sent, or cannot be.
    /// - Parameter client: a connected socket, owned from here on.
    func begin(_ client: Int32, _ file: BodyFile, _ head: DownloadHead, from origin: RequestOrigin) {
        let download = Download(to: client, file, head)
        guard !isStopped else { return }
        last += 1
        let id = last
        running[id] = (download, origin)
        let place = Self.place(of: origin)
        places.take(place)
        workers.submit { [weak self] in
            download.send()
            HostActor.enqueue { self?.ended(id, place) }
        }
    }

    /// Ends those of who came by one way.
    func end(from origin: RequestOrigin) {
        for (download, own) in running.values where own == origin { download.abandon() }
    }

    /// Nothing is sent any more. Twice is harmless.
    func stop() {
        isStopped = true
        for (download, _) in running.values { download.abandon() }
        running = [:]
    }

    private func ended(_ id: UInt64, _ place: RequestOrigin) {
        running[id] = nil
        places.giveBack(place)
    }

    /// The page's port has a table of its own, where nobody else comes: there it need not leave room.
    private static func place(of origin: RequestOrigin) -> RequestOrigin { origin == .web ? .local : origin }
}
