internal import PluginABI

extension HostInterface {
    /// The largest body of an answer.
    static let longestAnswerBytes = 16 << 20

    /// mh.routes.draft/2. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let routes = immortal(
        mh_routes_host_1(
            respond: { host, token, raw in
                guard let context = PluginContext.of(host), let raw = raw?.pointee else {
                    return mh_status(MH_E_INVALID)
                }
                guard raw.body_size <= longestAnswerBytes else { return mh_status(MH_E_LIMIT) }
                guard let response = response(raw) else { return mh_status(MH_E_INVALID) }
                guard context.close(token) else { return mh_status(MH_E_STATE) }
                context.send(.respond(token, response))
                return mh_status(MH_OK)
            },
            respond_value: { commands.pointee.reply?($0, $1, $2) ?? mh_status(MH_E_UNSUPPORTED) },
            reject: { commands.pointee.reject?($0, $1, $2, $3) ?? mh_status(MH_E_UNSUPPORTED) },
            respond_file: { host, token, raw in
                guard let raw = raw?.pointee else { return mh_status(MH_E_INVALID) }
                let file = BodyFile(owning: raw.file)
                guard let context = PluginContext.of(host), let file, let response = response(raw, file) else {
                    return mh_status(MH_E_INVALID)
                }
                guard context.close(token) else { return mh_status(MH_E_STATE) }
                context.send(.respond(token, response))
                return mh_status(MH_OK)
            }))

    private static func response(_ raw: mh_file_response_1, _ file: BodyFile) -> ControlResponse? {
        let type = String(raw.content_type)
        guard (200...599).contains(raw.status), isPrintable(type), type.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        var response = ControlResponse(
            status: Int(raw.status), payload: .init(contentType: type, bytes: []), headers: unguessed)
        response.file = file
        return response
    }

    private static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// What a plugin says its answer is, it is: no browser is to guess otherwise.
    private static let unguessed = ["X-Content-Type-Options": "nosniff"]

    /// Nil where it is not what the header says.
    private static func response(_ raw: mh_response_1) -> ControlResponse? {
        let type = String(raw.content_type)
        guard (200...599).contains(raw.status), isPrintable(type) else { return nil }
        let size = raw.body == nil ? 0 : raw.body_size
        guard size == 0 && type.isEmpty || type.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return ControlResponse(
            status: Int(raw.status),
            payload: .init(contentType: type, bytes: Array(UnsafeRawBufferPointer(start: raw.body, count: size))),
            headers: unguessed)
    }
}
