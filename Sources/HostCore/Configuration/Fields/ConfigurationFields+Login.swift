internal import CGLib

extension ConfigurationFields {
    static let login = FieldTable<LoginSettings>(fields: [
        Field(
            "bus", "where it is looked for: auto (the system bus, where there is one), off, or a D-Bus address",
            .oneOf([.choice(["auto", "off"]), .text]), default: "auto"
        ) { node, settings, problems in
            guard let text = node.text(for: "bus", &problems) else { return }
            switch text {
            case "auto": settings.bus = .auto
            case "off": settings.bus = .off
            default:
                guard isAddress(text) else {
                    return problems.error(
                        at: node.span, "\"bus\" cannot be \(node.kind)",
                        help: "valid: auto, off, or a D-Bus address, as unix:path=/run/dbus/system_bus_socket",
                        suggestion: Suggestion.nearest(to: text, among: ["auto", "off"]))
                }
                settings.bus = .address(text)
            }
        },
        Field(
            "session",
            "whose lock counts: auto (the session that the host runs in, else the active one of seat0), or a session's ID",
            .oneOf([.word("auto"), .text]), default: "auto"
        ) { node, settings, problems in
            guard let text = node.text(for: "session", &problems) else { return }
            settings.session = text == "auto" ? .auto : .id(text)
        },
        .choice(
            "sleep", "before the machine sleeps: delay (held up until the host is quiet), or ignore", default: "delay",
            \.sleep),
        .choice(
            "power-key", "take: the power key is not for logind while the host runs", default: "ignore", \.powerKey),
    ])

    private static func isAddress(_ text: String) -> Bool { g_dbus_is_supported_address(text, nil) != 0 }
}
