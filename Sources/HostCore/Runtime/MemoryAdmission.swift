/// Whether what the plugins reserve fits into the board: decided before the first of them takes any.
///
/// The rule: all reservations together may take four fifths of what is available. The rest is for the pipelines
/// themselves (a decoder's frames, queues) and for everybody else; a ring that fills up an hour after the start must not be
/// what brings the board down.
public enum MemoryAdmission {
    /// In hundredths.
    static let share: Int64 = 80

    /// One error where it does not fit, else nil.
    public static func check(_ reservations: [MemoryReservation], available: AvailableMemory) -> Diagnostic? {
        // Sizes come from a file: their sum may be more than there are numbers.
        let total = reservations.reduce(Int64(0)) { sum, next in
            let (result, overflows) = sum.addingReportingOverflow(max(0, next.bytes))
            return overflows ? Int64.max : result
        }
        let allowed = available.bytes / 100 * share
        guard total > allowed, let largest = reservations.max(by: { $0.bytes < $1.bytes }) else { return nil }
        let list = reservations.sorted { $0.bytes > $1.bytes }.map { reservation in
            let place = reservation.span.map { " (\($0.file.path):\($0.start.line)" } ?? " ("
            return "\(reservation.owner) \(Quantity.sizeText(reservation.bytes))\(place)"
                + (reservation.isDefault ? ", the default of \(reservation.key))" : ")")
        }
        let message =
            "plugins reserve \(rounded(total)): \(list.joined(separator: ", ")); \(available.limitedBy) has "
            + "\(rounded(available.bytes)) available, of which \(rounded(allowed)) may be reserved"
        return Diagnostic(
            .error, at: largest.span, message,
            help: "give \(largest.owner) a smaller `\(largest.key)`; "
                + "the rest of the memory is for the pipelines and for everybody else on the board")
    }

    /// In whole MiB where that says it well enough.
    private static func rounded(_ bytes: Int64) -> String {
        bytes < 10 << 20 ? Quantity.sizeText(bytes) : "\(bytes >> 20)MiB"
    }
}
