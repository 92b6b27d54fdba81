internal import CGLib

/// The keys of `control`.
extension ConfigurationFields {
    static let control = FieldTable<ControlSettings>(fields: [
        Field(
            "socket", "the unix socket: its path, or a map; the default path is said by `mediahost run`",
            .oneOf([.text, .map(socket.descriptions, isOpen: false)]), example: "/run/mediahost/control.sock"
        ) { node, settings, problems in
            if node.entries != nil {
                socket.decode(node, subject: "\"socket\"", place: node.span, into: &settings, problems: &problems)
            } else {
                decodeSocketPath(node, "socket", &settings, &problems)
            }
        },
        Field(
            "tcp", "where it is reached over the network, with a token; without it, nowhere",
            .map(network.descriptions, isOpen: false), example: "{ port: 8080, token-file: /etc/mediahost/token }"
        ) { node, settings, problems in
            guard !node.isNull else { return }
            var draft = NetworkSettings()
            network.decode(node, subject: "\"tcp\"", place: node.span, into: &draft, problems: &problems)
            if node.entries != nil, node["token-file"] == nil, node["read-only-token-file"] == nil {
                problems.error(
                    at: node.span, "\"tcp\" has no token: whoever reaches the port could do everything",
                    help:
                        "write token-file: the path of a file with 16 or more characters, and read-only-token-file: for who only looks"
                )
            }
            settings.network = draft
        },
        Field(
            "stream-clients", "how many clients may follow events and logs at one time",
            .integer(0...ControlSettings.mostStreamClients), default: "256"
        ) { node, settings, problems in
            let range = 0...ControlSettings.mostStreamClients
            guard let count = node.integer(for: "stream-clients", in: range, &problems) else { return }
            settings.streamClients = Int(count)
        },
    ])

    static let socket = FieldTable<ControlSettings>(fields: [
        Field("path", "the path of the socket", .text, example: "/run/mediahost/control.sock") {
            decodeSocketPath($0, "path", &$1, &$2)
        },
        Field(
            "mode", "the permission bits of its file, in quotes: who may write to it may use it", .text, default: "0660"
        ) { node, settings, problems in
            guard let text = node.text(for: "mode", &problems) else { return }
            guard (3...4).contains(text.utf8.count), let mode = UInt32(text, radix: 8), mode <= 0o777,
                mode & 0o600 == 0o600
            else {
                return problems.error(
                    at: node.span, "\(quoted(text)) is no mode of a socket",
                    help: "write three digits from 0 to 7, the first 6 or 7, as in mode: \"0660\"")
            }
            settings.access.mode = mode
        },
        Field(
            "group", "the group of its file, by name or number; without it, the host's own", .text, example: "media"
        ) { node, settings, problems in
            settings.access.group = node.text(for: "group", &problems)
        },
        Field(
            "users", "of those that the file lets in, only these, root and the host's own user; by name or number",
            .list(.text), example: "[kiosk]"
        ) { node, settings, problems in
            settings.access.users = texts(node, "users", &problems)
        },
    ])

    static let network = FieldTable<NetworkSettings>(fields: [
        Field(
            "address", "the address to listen on, numeric: 0.0.0.0 is all of IPv4, `::` all", .text,
            default: "127.0.0.1"
        ) { node, settings, problems in
            guard let text = node.text(for: "address", &problems) else { return }
            guard g_hostname_is_ip_address(text) != 0 else {
                return problems.error(
                    at: node.span, "\(quoted(text)) is no numeric address",
                    help: "write one of this machine's addresses, as in address: 192.168.1.20")
            }
            settings.address = text
        },
        Field("port", "the port to listen on", .integer(1...65535), example: "8080", isRequired: true) {
            node, settings, problems in
            guard let port = node.integer(for: "port", in: 1...65535, &problems) else { return }
            settings.port = UInt16(port)
        },
        Field(
            "token-file", "the file with the token that allows everything; a relative path begins at this file", .text,
            example: "/etc/mediahost/token"
        ) { node, settings, problems in
            settings.tokenFile = node.text(for: "token-file", &problems).map {
                TextFile.resolve($0, beside: node.span.file.path)
            }
        },
        Field(
            "read-only-token-file", "the file with the token that allows to look", .text,
            example: "/etc/mediahost/read-only-token"
        ) { node, settings, problems in
            settings.readOnlyTokenFile = node.text(for: "read-only-token-file", &problems)
                .map { TextFile.resolve($0, beside: node.span.file.path) }
        },
        Field(
            "allowed-hosts", "names that the host has in the network, beside its addresses", .list(.text), default: "[]"
        ) { node, settings, problems in
            settings.allowedHosts = texts(node, "allowed-hosts", &problems).map { $0.lowercased() }
        },
    ])

    private static func decodeSocketPath(
        _ node: YAMLNode, _ key: String, _ settings: inout ControlSettings, _ problems: inout Problems
    ) {
        guard let path = node.text(for: key, &problems) else { return }
        guard path.utf8.count <= 107 else {  // sun_path holds 108 bytes with its end
            problems.error(
                at: node.span, "the path of the socket is too long",
                help: "a unix socket's path has at most 107 bytes")
            return
        }
        settings.socket = path
    }

    private static func texts(_ node: YAMLNode, _ key: String, _ problems: inout Problems) -> [String] {
        guard let items = node.items else {
            problems.error(at: node.span, "\(quoted(key)) must be a list of texts, not \(node.kind)")
            return []
        }
        return items.compactMap { $0.text(for: key, &problems) }
    }
}
