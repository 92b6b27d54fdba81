import PluginABI
import Locking

/// The plugin classes of a library with their C descriptors, which live as long as the process.
final class PluginRegistry: Sendable {
    private struct Item {
        let plugin: any MediaPlugin.Type
        let id: String
        let descriptor: UnsafePointer<mh_descriptor_1>
        let strings: CStrings
    }

    private let items = Locked<[Item]>([])

    /// A class already known by its id stays as it is.
    func add(_ plugin: any MediaPlugin.Type) {
        items.withLock { items in
            let id = plugin.descriptor.id
            guard !items.contains(where: { $0.id == id }) else { return }
            items.append(Self.item(plugin))
        }
    }

    var count: Int { items.withLock { $0.count } }

    func descriptor(at index: Int) -> UnsafePointer<mh_descriptor_1>? {
        // An address, because a pointer may not leave the lock.
        let address = items.withLock { items in
            items.indices.contains(index) ? UInt(bitPattern: items[index].descriptor) : 0
        }
        return UnsafePointer(bitPattern: address)
    }

    func plugin(_ id: String) -> (any MediaPlugin.Type)? {
        items.withLock { items in items.first { $0.id == id }?.plugin }
    }

    private static func item<Plugin: MediaPlugin>(_ plugin: Plugin.Type) -> Item {
        let text = plugin.descriptor
        let strings = CStrings()
        let memory = UnsafeMutablePointer<mh_descriptor_1>.allocate(capacity: 1)
        memory.initialize(
            to: mh_descriptor_1(
                id: strings.add(text.id), name: strings.add(text.name), vendor: strings.add(text.vendor),
                version: strings.add(text.version), license: strings.add(text.license),
                summary: strings.add(text.summary), requires_ext: strings.add(text.requires.map(\.rawValue)),
                optional_ext: strings.add(text.optional.map(\.rawValue)),
                config_schema: strings.add(Plugin.Settings.fields.schemaText), flags: 0))
        return Item(plugin: plugin, id: text.id, descriptor: UnsafePointer(memory), strings: strings)
    }
}
