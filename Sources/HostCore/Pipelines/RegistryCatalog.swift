internal import GStreamerKit

/// The element catalog of this machine: GStreamer's registry.
struct RegistryCatalog: ElementCatalog {
    func exists(_ factory: String) -> Bool { ElementFactory.exists(factory) }
    var factoryNames: [String] { ElementFactory.allNames() }
    func propertyNames(of factory: String) -> [String]? { ElementFactory.propertyNames(of: factory) }
    func property(_ name: String, of factory: String) -> ElementProperty? { ElementFactory.property(name, of: factory) }
    func verdict(on text: String, for property: String, of factory: String) -> ValueVerdict {
        ElementFactory.verdict(on: text, for: property, of: factory)
    }
    func hasChildren(_ factory: String) -> Bool { ElementFactory.hasChildren(factory) }
    func isBin(_ factory: String) -> Bool { ElementFactory.isBin(factory) }
    func presets(of factory: String) -> [String]? { ElementFactory.presets(of: factory) }
    func padTemplates(of factory: String) -> [PadTemplate]? { ElementFactory.padTemplates(of: factory) }
    func factory(forURI uri: String, isSink: Bool) -> String? { ElementFactory.factory(forURI: uri, isSink: isSink) }
    func caps(_ text: String) -> Caps? { Caps(text) }
    func plugin(of factory: String) -> String? { ElementFactory.plugin(of: factory) }
}
