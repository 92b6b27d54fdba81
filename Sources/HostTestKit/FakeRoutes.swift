internal import Glibc
internal import PluginABI

/// The fake's `mh.routes`: what was answered is written down by token.
enum FakeRoutes {
    static func table() -> mh_routes_host_1 {
        mh_routes_host_1(
            respond: { host, token, raw in
                guard let raw = raw?.pointee else { return mh_status(truncatingIfNeeded: MH_E_INVALID) }
                let size = raw.body == nil ? 0 : raw.body_size
                let response = FakeResponse(
                    status: Int(raw.status), contentType: FakeText.string(raw.content_type),
                    body: Array(UnsafeRawBufferPointer(start: raw.body, count: size)), value: nil)
                FakeHost.of(host)?.write { $0.responses[token, default: []].append(response) }
                return 0
            },
            respond_value: { host, token, builder in
                let value = FakeBuilder.consume(builder)
                let response = FakeResponse(status: 200, contentType: "application/json", body: [], value: value)
                FakeHost.of(host)?.write { $0.responses[token, default: []].append(response) }
                return 0
            },
            reject: { host, token, status, text in
                FakeHost.of(host)?.write {
                    $0.rejections[token, default: []].append(FakeText.string(text))
                    $0.rejectionStatus[token] = status
                }
                return 0
            },
            respond_file: { host, token, raw in
                guard let raw = raw?.pointee else { return mh_status(truncatingIfNeeded: MH_E_INVALID) }
                defer { close(raw.file) }
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4096)
                while case let count = read(raw.file, &piece, piece.count), count > 0 { bytes += piece[..<count] }
                let response = FakeResponse(
                    status: Int(raw.status), contentType: FakeText.string(raw.content_type), body: bytes, value: nil)
                FakeHost.of(host)?.write { $0.responses[token, default: []].append(response) }
                return 0
            })
    }
}
