import CrashingDisk
import HostCore
import HostTestKit
import Testing

@testable import LaundryTimers

extension CrashingDiskTests {
    /// A store that cannot be opened when the host starts: somebody else has it, or its disk takes nothing. The board has timers when it can.
    @Suite struct StoreAwayTests {
        private let wash = Value.map([.init("pet", "snowy"), .init("kind", "wash")])

        private func complaints(_ board: Board) -> Int {
            board.fake.seen.log.filter { $0.contains("cannot keep timers") }.count
        }

        /// `timers deliver` has it for a moment: what is asked meanwhile is done a moment later, and nobody complains.
        @Test func ordersWaitForAnotherHostThatEndsSoon() throws {
            let folder = try Folder()
            let other = try TimerStore(folder.store)
            let board = try Board(on: folder)
            try board.instance.call("start", token: 7, ["pet": "snowy", "kind": "wash"])
            try board.pass(.seconds(1))
            #expect(board.fake.seen.results[7] == nil && board.fake.seen.rejections[7] == nil)
            other.close()
            try board.pass(.milliseconds(250))
            #expect(board.fake.seen.results[7]?.first?["timer"]?.string == "snowy/1")
            #expect(complaints(board) == 0 && board.fake.seen.failures.isEmpty)
            board.end()
        }

        /// Another host stays: orders are refused, and that is said once. When it ends, this one goes on, with the pets of its config.
        @Test func aSecondHostTakesOverWhenTheFirstEnds() throws {
            let folder = try Folder()
            let other = try TimerStore(folder.store)
            let board = try Board(on: folder)
            for _ in 0..<100 { try board.pass(.seconds(1)) }
            #expect(complaints(board) == 1 && board.fake.seen.failures.isEmpty)
            #expect(throws: (any Error).self) { try board.ask("start", wash) }
            other.close()
            for _ in 0..<5 { try board.pass(.seconds(1)) }
            #expect(try board.ask("start", wash)["timer"]?.string == "snowy/1")
            #expect(board.fake.seen.log.contains { $0.contains("again") && $0.contains("timers.db") })
            try board.pass(.seconds(2700))
            #expect(board.events("finished").map { $0["late"]?.int } == [0])
            board.end()
        }

        /// A board whose disk was full when it was switched on.
        @Test func aDiskThatTakesNothingAtTheStart() throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            crashing_disk_set(-1, 0)
            let folder = try Folder()
            let before = try Board(on: folder, vfs: "crashing")
            _ = try before.ask("start", wash)
            // What the next host has to write is something else then.
            try before.pass(.seconds(7))
            _ = try before.ask("pet-add", ["id": "fluffy"])
            before.end()
            crashing_disk_set(0, 0)
            let board = try Board(on: folder, vfs: "crashing")
            for _ in 0..<20 { try board.pass(.seconds(1)) }
            #expect(complaints(board) == 1 && board.fake.seen.failures.isEmpty)
            #expect(throws: (any Error).self) { try board.ask("list") }
            crashing_disk_set(-1, 0)
            try board.pass(.seconds(5))
            #expect(try board.ask("list")["running"]?.int == 1)
            board.end()
        }

        /// What another config says is not lost with the disk that did not take it.
        @Test func aReloadIsDoneWhenTheDiskTakesIt() throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            crashing_disk_set(-1, 0)
            let board = try Board(vfs: "crashing")
            crashing_disk_set(0, 0)
            #expect(
                try board.instance.apply(["pets": [["id": "snowy"], ["id": "fluffy"]], "wash": "7min"]) == .applied)
            board.instance.settle()
            try board.pass(.seconds(1))
            crashing_disk_set(-1, 0)
            try board.pass(.seconds(5))
            #expect(try board.ask("start", ["pet": "fluffy", "kind": "wash"])["duration"]?.int == 7 * minute)
            board.end()
        }

        /// Damage that is found only when a pet is looked at: the timers begin anew in the same host, with the pets of the config, and
        /// no name of a timer is used a second time.
        @Test func aDamageThatIsFoundLate() throws {
            let folder = try Folder()
            let before = try Board(on: folder)
            #expect(try before.ask("start", wash)["timer"]?.string == "snowy/1")
            before.end()
            let store = try TimerStore(folder.store)
            try store.database.execute("UPDATE pets SET state = 99")
            store.close()
            let board = try Board(on: folder)
            try board.pass(.seconds(1))
            #expect(board.fake.seen.failures.isEmpty)
            #expect(board.events("store-set-aside").map { $0["path"]?.string } == ["\(folder.store).damaged-1"])
            let timer = try board.ask("start", wash)["timer"]?.string
            #expect(timer == "snowy/\(newYear / second)", "\(board.fake.seen.log)")
            try board.pass(.seconds(2700))
            #expect(board.events("finished").map { $0["timer"]?.string } == [timer])
            board.end()
        }

        /// A store that works again has its alarms at once.
        @Test func alarmsComeBackWithTheStore() throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            crashing_disk_set(-1, 0)
            let board = try Board(["pets": [["id": "snowy"]], "tick": false], vfs: "crashing")
            _ = try board.ask("start", ["pet": "snowy", "kind": "wash", "duration": "10s"])
            try board.pass(.seconds(8))
            crashing_disk_set(0, 0)
            #expect(throws: (any Error).self) { try board.ask("pet-add", ["id": "fluffy"]) }
            crashing_disk_set(-1, 0)
            _ = try board.ask("pet-add", ["id": "fluffy"])
            try board.pass(.seconds(2))
            #expect(board.events("finished").map { $0["late"]?.int } == [0])
            board.end()
        }
    }
}
