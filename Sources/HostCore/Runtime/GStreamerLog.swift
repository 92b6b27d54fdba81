internal import GStreamerKit

/// Writes GStreamer's warnings where the host writes its own, with the pipeline and the element they are about.
public enum GStreamerLog {
    /// Bridges and records from now on; once per process. The writing is done on a worker: a standard error that nobody
    /// reads must not stop a stream.
    public static func start(log: Log, workers: WorkerPool) {
        let worker = SerialWorker(workers)
        DebugLog.start(
            ringBytes: FlightRecorder.bytesPerThread, ringSeconds: FlightRecorder.secondsOfSilence
        ) { intake in
            worker.submit {
                let (messages, leftOut) = intake.drain()
                for message in messages { write(message, to: log) }
                if leftOut > 0 {
                    log.from("GStreamer").warning("\(leftOut) more warnings were left out: they came too often")
                }
            }
        }
    }

    static func write(_ message: DebugMessage, to log: Log) {
        let source = message.pipeline.isEmpty ? "GStreamer" : "pipeline \(message.pipeline)"
        let element = message.element.isEmpty ? nil : message.element
        let text = (element.map { "\($0): " } ?? "") + "\(message.text) (\(message.category), \(message.function))"
        // What an element posts as an error it logs, too; the host tells it from the bus, with its place in the config.
        let level = message.text.hasPrefix("error: ") ? Log.Level.debug : .warning
        log.from(source).write(level, text, element: element, code: "gstreamer-\(message.level)")
    }
}
