internal import GStreamerKit

/// The keys of one entry of `inputs`.
extension ConfigurationFields {
    static let input = FieldTable<InputSettings>(fields: [
        Field(
            "device", "the file of the input device; it may come and go", .text,
            example: "/dev/input/by-path/platform-gpio-keys-event", isRequired: true
        ) { node, settings, problems in
            guard let path = node.text(for: "device", &problems) else { return }
            guard path.hasPrefix("/") else {
                return problems.error(
                    at: node.span, "\"device\" must be a path that begins with \"/\"",
                    help: "`ls -l /dev/input/by-id /dev/input/by-path` lists the devices that are there")
            }
            settings.device = path
        },
        Field(
            "keys", "the keys that are told, by their names in linux/input-event-codes.h; without it, all",
            .list(.text), example: "[KEY_POWER, KEY_VOLUMEUP, KEY_VOLUMEDOWN]"
        ) { node, settings, problems in
            guard let items = node.items else {
                return problems.error(at: node.span, "\"keys\" must be a list of names of keys, not \(node.kind)")
            }
            var keys: Set<UInt16> = []
            for item in items {
                guard let name = item.text(for: "keys", &problems) else { continue }
                if let code = KeyNames.code(of: name) {
                    keys.insert(code)
                } else {
                    problems.error(
                        at: item.span, "there is no key \(quoted(name))",
                        help: "names are those of linux/input-event-codes.h, as KEY_VOLUMEUP, or numbers as KEY_0x2fe",
                        suggestion: KeyNames.nearest(to: name))
                }
            }
            settings.keys = keys
        },
        .duration(
            "long", "released after this long or later, it was a long press", in: presses, default: "600ms", \.long),
        .durationOrNever(
            "hold", "pressed for this long, it is told while it is still pressed", in: presses, default: "2s", \.hold),
        .flag("grab", "true: nobody else on the machine gets its keys", default: "false", \.grab),
    ])

    private static let presses = ClockTime.milliseconds(10)...ClockTime.seconds(60)

    static func describeInput(_ entry: YAMLEntry, _ problems: inout Problems) -> InputSettings? {
        var settings = InputSettings(entry.key)
        input.decode(
            entry.value, subject: "input \(quoted(entry.key))", place: entry.keySpan, into: &settings,
            problems: &problems)
        if let hold = settings.hold, hold <= settings.long {
            problems.error(
                at: (entry.value["hold"] ?? entry.value["long"])?.span ?? entry.keySpan,
                "\"hold\" must be longer than \"long\"",
                help: "long is \(Quantity.durationText(settings.long.nanoseconds)); "
                    + "hold is \(Quantity.durationText(hold.nanoseconds))")
        }
        return settings.device.isEmpty ? nil : settings
    }
}
