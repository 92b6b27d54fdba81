internal import CGLib
internal import Glibc
internal import PluginABI

/// mh.routes.draft/2.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let routes = immortal(
        mh_routes_host_1(
            respond: { host, token, response in
                guard let plugin = GuardedPlugin.calling(.respond, host) else { return mh_status(MH_E_STATE) }
                guard let response = response?.pointee else { return mh_status(MH_E_INVALID) }
                guard response.body_size <= HostInterface.longestAnswerBytes else { return mh_status(MH_E_LIMIT) }
                if response.reserved != 0 {
                    TrialPipe.tell(
                        TrialFault(
                            "answered a request with `reserved` \(response.reserved)",
                            expected: "0 (mediahost/routes.h)",
                            fix: "set the whole struct: a later host may give the field a meaning"))
                }
                let body = UnsafeRawBufferPointer(
                    start: response.body, count: response.body == nil ? 0 : response.body_size)
                let status = plugin.ask(
                    .respond, .int(Int64(bitPattern: token)), .int(Int64(response.status)),
                    .string(text(response.content_type, "routes.respond")), data: Array(body)
                ).status
                // What is no answer leaves the request open.
                if status != mh_status(MH_E_INVALID) { plugin.answer(token, .respond) }
                return status
            },
            respond_value: { host, token, value in
                let value = Builders.consume(value, "routes.respond_value")
                guard let plugin = GuardedPlugin.calling(.respondValue, host) else { return mh_status(MH_E_STATE) }
                plugin.answer(token, .respondValue)
                return plugin.ask(.respondValue, .int(Int64(bitPattern: token)), value).status
            },
            reject: { host, token, status, words in
                guard let plugin = GuardedPlugin.calling(.rejectRequest, host) else { return mh_status(MH_E_STATE) }
                plugin.answer(token, .rejectRequest)
                return plugin.ask(
                    .rejectRequest, .int(Int64(bitPattern: token)), .int(Int64(status)),
                    .string(text(words, "routes.reject"))
                ).status
            },
            respond_file: { host, token, response in
                guard let response = response?.pointee else { return mh_status(MH_E_INVALID) }
                // The plugin has given it away, whatever becomes of the call.
                defer { close(response.file) }
                guard let plugin = GuardedPlugin.calling(.respondFile, host) else { return mh_status(MH_E_STATE) }
                let copy = plugin.isHere ? mh_file_copy(response.file) : -1
                let status = plugin.ask(
                    .respondFile, .int(Int64(bitPattern: token)), .int(Int64(response.status)),
                    .string(text(response.content_type, "routes.respond_file")), .int(Int64(copy)), file: response.file
                ).status
                if status != mh_status(MH_E_INVALID) { plugin.answer(token, .respondFile) }
                return status
            }))
}
