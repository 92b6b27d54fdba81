internal import CGStreamer

/// What a pipeline is made of now.
public struct PipelineStructure: Sendable, Equatable {
    public struct Element: Sendable, Equatable {
        public var name: String
        /// The factory it was made by; nil for a bin made without one.
        public var factory: String?
        /// The bin that it is in.
        public var parent: String?
        public var isBin: Bool
        public var state: PipelineState?
        public var pads: [Pad]
    }

    public struct Pad: Sendable, Equatable {
        public var name: String
        public var isSink: Bool
        /// What passes now, before negotiation nil.
        public var caps: String?
        /// The pad it is linked to, `element.pad`.
        public var peer: String?
    }

    /// In any depth, bins included, by name.
    public var elements: [Element]
}

extension Pipeline {
    /// What it is made of now.
    /// - Thread: worker: an element that is stuck in its device may hold a lock.
    public var structure: PipelineStructure {
        let found = elements.map { element in
            PipelineStructure.Element(
                name: element.name, factory: element.factoryName, parent: element.parentName, isBin: element.isBin,
                state: element.stateNow,
                pads: element.pads.map { pad in
                    PipelineStructure.Pad(
                        name: pad.name, isSink: pad.isSink, caps: pad.currentCaps?.description, peer: pad.peer?.path)
                })
        }
        return PipelineStructure(elements: found.sorted { $0.name < $1.name })
    }
}

extension Element {
    fileprivate var parentName: String? {
        let object = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
        guard let parent = gst_object_get_parent(object) else { return nil }
        defer { gst_object_unref(parent) }
        return takeString(gst_object_get_name(parent))
    }

    /// Does not wait for a change under way.
    fileprivate var stateNow: PipelineState? {
        var current = GST_STATE_NULL
        gst_element_get_state(pointer, &current, nil, 0)
        return PipelineState(current)
    }
}

extension Pad {
    /// `element.pad`. A bin's pad hides another one behind it, which stands for it here.
    fileprivate var path: String? {
        if let element = gst_pad_get_parent_element(pointer) { return "\(Element(adopting: element).name).\(name)" }
        let object = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
        guard let outer = gst_object_get_parent(object) else { return nil }
        guard mh_gst_is_pad(outer) != 0 else {
            gst_object_unref(outer)
            return nil
        }
        let pad = Pad(adopting: UnsafeMutableRawPointer(outer).assumingMemoryBound(to: GstPad.self))
        guard let element = gst_pad_get_parent_element(pad.pointer) else { return nil }
        return "\(Element(adopting: element).name).\(pad.name)"
    }
}
