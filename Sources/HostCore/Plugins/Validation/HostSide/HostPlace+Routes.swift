internal import PluginABI

extension HostPlace {
    /// Token, status and content type, and the body as data.
    func respond(_ call: TrialCall) -> [Value] {
        let status = (call[2].string ?? "").withABI { type in
            call.data.withUnsafeBytes { body in
                var raw = mh_response_1(
                    status: Int32(truncatingIfNeeded: call[1].int ?? 0), reserved: 0, content_type: type,
                    body: body.isEmpty ? nil : body.baseAddress, body_size: body.count)
                return HostInterface.routes.pointee.respond?(table, UInt64(bitPattern: call[0].int ?? 0), &raw) ?? -1
            }
        }
        return [.int(Int64(status))]
    }

    /// Token, status and content type, and a descriptor: beside the call where the plugin is elsewhere.
    func respondFile(_ call: TrialCall) -> [Value] {
        let status = (call[2].string ?? "").withABI { type in
            var raw = mh_file_response_1(
                status: Int32(truncatingIfNeeded: call[1].int ?? 0),
                file: call.file ?? Int32(truncatingIfNeeded: call[3].int ?? -1),
                content_type: type)
            return HostInterface.routes.pointee.respond_file?(table, UInt64(bitPattern: call[0].int ?? 0), &raw) ?? -1
        }
        return [.int(Int64(status))]
    }
}
