import PluginABI

extension HostExtension {
    public static let routes = HostExtension(rawValue: MH_EXT_ROUTES)
}

/// Answers to requests.
extension Host {
    func respond(_ token: mh_token, _ response: RouteResponse) {
        guard let host = live, let table = tables.routes else { return response.discard() }
        switch response.content {
        case .file(let descriptor, let type):
            let status = type.withText { type in
                var answer = mh_file_response_1(status: response.status, file: descriptor, content_type: type)
                guard let respond = table.pointee.respond_file else {
                    response.discard()
                    return PluginError.Code.unsupported.status
                }
                return respond(host, token, &answer)
            }
            if status == PluginError.Code.invalid.status {
                rejectRequest(
                    token,
                    PluginError(
                        "an answer from descriptor \(descriptor), status \(response.status) and type \"\(type)\" is none that the "
                            + "host sends; this is a fault of the plugin"))
            }
        case .value(let value):
            guard let values = tables.value else { return }
            _ = table.pointee.respond_value?(host, token, value.build(with: values))
        case .bytes(let bytes, let type):
            let status = type.withText { type in
                bytes.withUnsafeBytes { body in
                    var answer = mh_response_1(
                        status: response.status, reserved: 0, content_type: type,
                        body: body.isEmpty ? nil : body.baseAddress, body_size: body.count)
                    return table.pointee.respond?(host, token, &answer) ?? PluginError.Code.unsupported.status
                }
            }
            // The host took it for none: somebody still waits.
            if status == PluginError.Code.invalid.status || status == PluginError.Code.limit.status {
                rejectRequest(
                    token,
                    PluginError(
                        "an answer of \(bytes.count) bytes, status \(response.status) and type \"\(type)\" is none that the "
                            + "host sends; this is a fault of the plugin"))
            }
        }
    }

    func rejectRequest(_ token: mh_token, _ error: PluginError) {
        guard let host = live else { return }
        _ = error.message.withText { tables.routes?.pointee.reject?(host, token, error.status, $0) }
    }
}
