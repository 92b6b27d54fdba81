import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Jobs on a virtual clock, with work that ends when it is told to.
@Suite struct JobTableTests {
    /// Work that waits.
    @HostActor
    private final class Work {
        private(set) var report: JobTable.Report = { _, _ in }
        private(set) var isCancelled = false
        private var waiting: CheckedContinuation<Result<Value, ControlError>, Never>?
        var isRunning: Bool { waiting != nil }

        nonisolated init() {}

        func run(_ report: @escaping JobTable.Report) async throws(ControlError) -> Value {
            self.report = report
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { waiting = $0 }
            } onCancel: {
                HostActor.enqueue { self.isCancelled = true }
            }
            return try outcome.get()
        }

        func end(_ outcome: Result<Value, ControlError>) {
            waiting?.resume(returning: outcome)
            waiting = nil
        }
    }

    private let clock = VirtualClock()

    init() { MainLoopThread.start() }

    @HostActor private func makeTable() -> (JobTable, EventHub) {
        let events = EventHub(clock: clock)
        return (JobTable(events: events, clock: clock), events)
    }

    /// Until so many run or have ended.
    @HostActor private func until(_ count: Int, in table: JobTable) async throws {
        try await wait(while: table.list.list?.count != count)
    }

    /// A job that goes on.
    @HostActor private func begin(
        _ work: Work, for origin: RequestOrigin = .local, in table: JobTable
    ) async throws -> String {
        let before = table.list.list?.count ?? 0
        async let answer = table.perform("save", of: "replay", for: origin, patience: .zero) {
            report throws(ControlError) in
            try await work.run(report)
        }
        try await wait(while: !work.isRunning)
        try await until(before + 1, in: table)
        clock.advance(by: JobTable.leastPatience)
        guard case .job(let job) = try await answer else { throw ControlError(.failed, "it has ended") }
        return try #require(job["id"]?.string)
    }

    @Test @HostActor func whatAnswersAtOnceIsNoJob() async throws {
        let (table, _) = makeTable()
        let answer = try await table.perform("save", of: "replay", for: .local, patience: .zero) {
            _ throws(ControlError) in 7
        }
        guard case .result(let value) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(value == 7)
        await #expect(throws: ControlError(.invalid, "no")) {
            _ = try await table.perform("save", of: "replay", for: .local, patience: nil) { _ throws(ControlError) in
                throw ControlError(.invalid, "no")
            }
        }
        #expect(table.list == .list([]))
    }

    @Test @HostActor func whatTakesLongerGoesOnAndIsAskedAbout() async throws {
        let (table, events) = makeTable()
        var told: [String] = []
        let leave = events.subscribe { told.append("\($0.name) \($0.payload["text"]?.string ?? "")") }
        defer { leave() }
        let work = Work()
        let id = try await begin(work, in: table)
        work.report(0.5, "half")
        #expect(try await table.job(id, patience: nil)["progress"] == .double(0.5))
        async let later = table.job(id, patience: .seconds(60))
        work.end(.success(["file": "a.mkv"]))
        let job = try await later
        #expect(job["state"] == "succeeded" && job["result"] == ["file": "a.mkv"])
        #expect(told == ["job.started ", "job.progress half", "job.ended half"])
        #expect(table.list.list?.count == 1)
    }

    @Test @HostActor func patienceHasAnEnd() async throws {
        let (table, _) = makeTable()
        let work = Work()
        async let answer = table.perform("save", of: "replay", for: .local, patience: .seconds(5)) {
            report throws(ControlError) in
            try await work.run(report)
        }
        try await wait(while: !work.isRunning)
        clock.advance(by: .milliseconds(4999))
        work.report(0.1, "before")
        clock.advance(by: .milliseconds(1))
        guard case .job(let job) = try await answer else { return #expect(Bool(false), "it has not gone on") }
        #expect(job["progress"] == .double(0.1) && job["elapsed_ns"] == .int(5_000_000_000))
        work.end(.success(.null))
    }

    @Test @HostActor func progressIsToldFiveTimesASecondAndTheLastIsNotLost() async throws {
        let (table, events) = makeTable()
        var told: [String] = []
        let leave = events.subscribe { if $0.name == "job.progress" { told.append($0.payload["text"]?.string ?? "") } }
        defer { leave() }
        let work = Work()
        let id = try await begin(work, in: table)
        for step in 1...5 { work.report(0.1, "\(step)") }
        #expect(told == ["1"])
        clock.advance(by: .milliseconds(200))
        #expect(told == ["1", "5"])
        clock.advance(by: .seconds(1))
        #expect(told == ["1", "5"])
        work.report(0.2, "6")
        #expect(told == ["1", "5", "6"])
        work.report(0.3, "7")
        work.end(.success(.null))
        while try await table.job(id, patience: nil)["state"] == "running" {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: .seconds(1))
        #expect(told == ["1", "5", "6"])
    }

    @Test @HostActor func aJobIsCancelledOnce() async throws {
        let (table, _) = makeTable()
        let work = Work()
        let id = try await begin(work, in: table)
        #expect(try table.cancel(id)["state"] == "cancelling")
        #expect(try table.cancel(id)["state"] == "cancelling")
        try await wait(while: !work.isCancelled)
        work.end(.failure(ControlError(.cancelled, "stopped")))
        let job = try await table.job(id, patience: .seconds(1))
        #expect(job["state"] == "cancelled" && job["error"]?["detail"] == "stopped")
        #expect(throws: ControlError(.state, "job \(id) has ended: there is nothing to cancel")) {
            try table.cancel(id)
        }
    }

    @Test @HostActor func whoLeavesBeforeItIsAJobCancelsIt() async throws {
        let (table, _) = makeTable()
        let work = Work()
        let caller = Task { @HostActor in
            _ = try await table.perform("save", of: "replay", for: .local, patience: .seconds(5)) {
                report throws(ControlError) in
                try await work.run(report)
            }
        }
        try await wait(while: !work.isRunning)
        caller.cancel()
        await #expect(throws: ControlError(.cancelled, "nobody waits for it any more")) { try await caller.value }
        try await wait(while: !work.isCancelled)
        #expect(table.list == .list([]))
        work.end(.success(.null))
    }

    /// It began before all that ended while it ran.
    @Test @HostActor func theResultOfALongOneIsKept() async throws {
        let (table, _) = makeTable()
        let long = Work()
        let id = try await begin(long, in: table)
        for number in 0..<JobTable.mostEnded {
            let work = Work()
            let other = try await begin(work, in: table)
            work.end(.success(.int(Int64(number))))
            _ = try await table.job(other, patience: .seconds(1))
        }
        long.end(.success("at last"))
        #expect(try await table.job(id, patience: .seconds(1))["result"] == "at last")
        #expect(table.list.list?.count == JobTable.mostEnded)
    }

    @Test @HostActor func ofThoseThatHaveEndedTheLastAreKept() async throws {
        let (table, _) = makeTable()
        var ids: [String] = []
        for number in 0..<JobTable.mostEnded + 2 {
            let work = Work()
            ids.append(try await begin(work, in: table))
            work.end(.success(.int(Int64(number))))
            _ = try await table.job(ids[number], patience: .seconds(1))
        }
        #expect(table.list.list?.count == JobTable.mostEnded)
        #expect(try await table.job(ids[2], patience: nil)["result"] == 2)
        for gone in ids[..<2] {
            await #expect(throws: ControlError.self) { try await table.job(gone, patience: nil) }
        }
    }

    @Test @HostActor func idsOfOtherStartsAndNoIdsAreToldApart() async throws {
        let (table, _) = makeTable()
        for (id, code) in [("7", ControlError.Code.invalid), ("0123456789abcdef.1", .notFound)] {
            let error = await #expect(throws: ControlError.self) { try await table.job(id, patience: nil) }
            #expect(error?.code == code)
        }
    }

    @Test @HostActor func notMoreThanAreAllowedRun() async throws {
        let (table, _) = makeTable()
        var all: [Work] = []
        for _ in 0..<JobTable.mostRunning {
            let work = Work()
            _ = try await begin(work, in: table)
            all.append(work)
        }
        await #expect(throws: ControlError(.busy, "\(JobTable.mostRunning) commands of plugins run: try again later")) {
            _ = try await table.perform("save", of: "replay", for: .local, patience: .zero) { _ throws(ControlError) in
                .null
            }
        }
        for work in all { work.end(.success(.null)) }
    }

    @Test @HostActor func whoComesFromAfarLeavesRoomForTheSocket() async throws {
        let (table, _) = makeTable()
        var all: [Work] = []
        func begin(for origin: RequestOrigin) async throws -> String {
            let work = Work()
            all.append(work)
            return try await self.begin(work, for: origin, in: table)
        }
        let first = try await begin(for: .network)
        for index in 1..<JobTable.mostRunning / 2 { _ = try await begin(for: index % 2 == 0 ? .network : .web) }
        let busy = ControlError(.busy, "\(JobTable.mostRunning / 2) commands of plugins run: try again later")
        for origin in [RequestOrigin.network, .web] {
            await #expect(throws: busy) {
                _ = try await table.perform("save", of: "replay", for: origin, patience: .zero) {
                    _ throws(ControlError) in .null
                }
            }
        }
        _ = try await begin(for: .local)
        // A place is free again when its command has ended.
        all[0].end(.success(.null))
        #expect(try await table.job(first, patience: .seconds(1))["state"] == "succeeded")
        _ = try await begin(for: .web)
        for work in all.dropFirst() { work.end(.success(.null)) }
    }
}
