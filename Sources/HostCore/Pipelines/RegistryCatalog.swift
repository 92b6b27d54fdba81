internal import GStreamerKit

/// The element catalog of this machine: GStreamer's registry.
struct RegistryCatalog: ElementCatalog {
    func exists(_ factory: String) -> Bool { ElementFactory.exists(factory) }
    var factoryNames: [String] { ElementFactory.allNames() }
    func propertyNames(of factory: String) -> [String]? { ElementFactory.propertyNames(of: factory) }
}
