internal import CGStreamer

/// GStreamer's four states.
public enum PipelineState: Sendable, Equatable {
    case null, ready, paused, playing

    init?(_ raw: GstState) {
        switch raw {
        case GST_STATE_NULL: self = .null
        case GST_STATE_READY: self = .ready
        case GST_STATE_PAUSED: self = .paused
        case GST_STATE_PLAYING: self = .playing
        default: return nil
        }
    }

    var raw: GstState {
        switch self {
        case .null: GST_STATE_NULL
        case .ready: GST_STATE_READY
        case .paused: GST_STATE_PAUSED
        case .playing: GST_STATE_PLAYING
        }
    }
}

/// What came of asking for a state.
public enum StateChangeResult: Sendable, Equatable {
    case success
    /// It goes on in streaming threads; `BusMessage.asyncDone` follows.
    case pending
    /// Reached, but live: nothing prerolls in PAUSED.
    case noPreroll
    case failure

    init(_ raw: GstStateChangeReturn) {
        switch raw {
        case GST_STATE_CHANGE_SUCCESS: self = .success
        case GST_STATE_CHANGE_ASYNC: self = .pending
        case GST_STATE_CHANGE_NO_PREROLL: self = .noPreroll
        default: self = .failure
        }
    }
}
