import PluginABI

/// The C functions of an instance: recover the object, call one method, give back a status.
extension PluginInstance {
    static func trampolines(_ data: UnsafeMutableRawPointer) -> mh_plugin_1 {
        mh_plugin_1(
            plugin_data: data,
            init: { table, config in
                PluginInstance.of(table)?.start(config: config) ?? PluginError.Code.invalid.status
            },
            activate: { table in
                PluginInstance.of(table)?.activate() ?? PluginError.Code.invalid.status
            },
            deactivate: { table in PluginInstance.of(table)?.deactivate() },
            destroy: { table in
                guard let data = table?.pointee.plugin_data else { return }
                Unmanaged<PluginInstance>.fromOpaque(data).takeRetainedValue().end()
            },
            on_main: { table in PluginInstance.of(table)?.parts?.plugin.onMain() },
            get_extension: { table, id in PluginInstance.of(table)?.parts?.tables.find(String(id)) })
    }

    static let invoke: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token, mh_str_1, OpaquePointer?) -> Void = {
        table, token, name, parameters in
        guard let parts = PluginInstance.of(table)?.parts else { return }
        parts.desk.invoke(
            String(name), token: token, parameters: PluginValue(copying: parameters, with: parts.values))
    }

    static let cancel: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token) -> Void = { table, token in
        PluginInstance.of(table)?.parts?.desk.cancel(token)
    }

    static let request: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token, UnsafePointer<mh_request_1>?) -> Void = {
        table, token, request in
        guard let request, let parts = PluginInstance.of(table)?.parts else { return }
        parts.routes.serve(
            request.pointee.route, token: token, RouteRequest(copying: request.pointee, with: parts.values))
    }

    static let built: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_str_1, UnsafeMutableRawPointer?) -> Void = {
        table, name, pipeline in
        guard let pipeline, let plugin = PluginInstance.of(table)?.parts?.plugin as? any PipelineAccess else { return }
        plugin.built(PipelineName(text: String(name)), pipeline)
    }

    static let released: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_str_1, UnsafeMutableRawPointer?) -> Void = {
        table, name, pipeline in
        guard let pipeline, let plugin = PluginInstance.of(table)?.parts?.plugin as? any PipelineAccess else { return }
        plugin.released(PipelineName(text: String(name)), pipeline)
    }

    static let cancelRequest: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token) -> Void = { table, token in
        PluginInstance.of(table)?.parts?.routes.cancel(token)
    }

    static let event: @convention(c) (UnsafePointer<mh_plugin_1>?, UnsafePointer<mh_event_1>?) -> Void = {
        table, event in
        guard let event, let parts = PluginInstance.of(table)?.parts else { return }
        parts.plugin.handle(PluginEvent(copying: event, with: parts.values))
    }

    static let validate: @convention(c) (UnsafePointer<mh_plugin_1>?, OpaquePointer?) -> mh_status = {
        table, config in
        PluginInstance.of(table)?.show(config, isForGood: false) ?? PluginError.Code.invalid.status
    }

    static let apply: @convention(c) (UnsafePointer<mh_plugin_1>?, OpaquePointer?) -> mh_status = { table, config in
        PluginInstance.of(table)?.show(config, isForGood: true) ?? PluginError.Code.invalid.status
    }

    static let file: @convention(c) (UnsafePointer<mh_plugin_1>?, Int32, mh_fd_events) -> Void = {
        table, file, events in
        PluginInstance.of(table)?.parts?.host.files.tell(file, events)
    }

    static let timer: @convention(c) (UnsafePointer<mh_plugin_1>?, UnsafePointer<mh_timer_expiry_1>?) -> Void = {
        table, expiry in
        guard let expiry else { return }
        PluginInstance.of(table)?.parts?.host.timers.tell(expiry.pointee)
    }

    static let action: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token, mh_str_1) -> Void = {
        table, notification, action in
        PluginInstance.of(table)?.parts?.host.notifications.tell(notification, action: String(action))
    }

    static let closed: @convention(c) (UnsafePointer<mh_plugin_1>?, mh_token, mh_notification_end) -> Void = {
        table, notification, why in
        PluginInstance.of(table)?.parts?.host.notifications.tell(notification, closed: why)
    }

    static let state:
        @convention(c) (
            UnsafePointer<mh_plugin_1>?, mh_token, mh_lifecycle_state, mh_lifecycle_change, mh_time
        ) -> Void = { table, token, state, change, deadline in
            guard let parts = PluginInstance.of(table)?.parts else { return }
            parts.plugin.lifecycle(
                LifecycleChange(abi: change), state: LifecycleState(rawValue: state),
                acknowledgement: Acknowledgement(host: parts.host, token: token, deadline: deadline))
        }
}
