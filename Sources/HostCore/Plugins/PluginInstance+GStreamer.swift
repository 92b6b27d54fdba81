internal import GStreamerKit
internal import PluginABI

/// The builds of pipelines that it is shown, each until it goes.
extension PluginInstance {
    func built(_ name: String, _ build: Pipeline) {
        guard state == .active, let table = gstTable?.pointee, !builds.contains(where: { $0 === build }) else { return }
        builds.append(build)
        guard let built = table.built else { return }
        calling("built") { name.withABI { built(plugin, $0, build.element.raw) } }
    }

    func released(_ name: String, _ build: Pipeline) {
        guard state == .active, let index = builds.firstIndex(where: { $0 === build }) else { return }
        builds.remove(at: index)
        guard let released = gstTable?.pointee.released else { return }
        calling("released") { name.withABI { released(plugin, $0, build.element.raw) } }
    }

    /// - Returns: a new reference.
    func element(_ path: ElementPath) throws(PluginFailure) -> UnsafeMutableRawPointer {
        guard let build = environment?.builds.first(where: { $0.name == path.pipeline })?.pipeline else {
            throw PluginFailure("pipeline \"\(path.pipeline)\" is not built now, or there is none of this name")
        }
        guard let element = build.element(named: path.element) else {
            throw PluginFailure("pipeline \"\(path.pipeline)\" has no element \"\(path.element)\"")
        }
        return element.retained()
    }
}
