import Foundation
import Testing

@testable import LaundryTimers

/// Where the machine says which zone it is in.
@Suite struct LocalZoneTests {
    /// A zone without rules, as tzfile(5) has it.
    private func writeZone(hoursEast: Int32, to path: String) throws {
        var bytes = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        for count: Int32 in [0, 0, 0, 0, 1, 4] { withUnsafeBytes(of: count.bigEndian) { bytes += $0 } }
        withUnsafeBytes(of: (hoursEast * 3600).bigEndian) { bytes += $0 }
        bytes += [0, 0] + Array("MHT\0".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func identifier(_ variable: String, _ file: String) -> String {
        LocalZone.identifier(variable: variable, file: file)
    }

    @Test func aLinkHasTheNameOfItsZone() throws {
        let folder = try Folder()
        for (number, place) in ["/usr/share/zoneinfo/Europe/Berlin", "../usr/share/zoneinfo/Asia/Kathmandu"]
            .enumerated()
        {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(number)", withDestinationPath: place)
        }
        #expect(identifier("", "\(folder.path)/0") == "Europe/Berlin")
        #expect(identifier("", "\(folder.path)/1") == "Asia/Kathmandu")
        #expect(identifier("", "\(folder.path)/none") == "UTC")
        #expect(identifier("Europe/Paris", "\(folder.path)/0") == "Europe/Paris")
        #expect(identifier(":Europe/Paris", "\(folder.path)/0") == "Europe/Paris")
    }

    /// Boards have a file there, and no link; a change of it is another zone, also while the first is held.
    @Test(arguments: [true, false])
    func aFileIsReadAndItsChangeNoticed(_ isNamed: Bool) throws {
        let folder = try Folder()
        let path = "\(folder.path)/localtime"
        func now() -> String { isNamed ? identifier(":\(path)", "/none") : identifier("", path) }
        try writeZone(hoursEast: 3, to: path)
        let first = LocalZone(now())
        #expect(first.local(0) == 3 * 3600 && first.name == path)
        #expect(now() == first.identifier)
        try FileManager.default.removeItem(atPath: path)
        try writeZone(hoursEast: -9, to: path)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 77)], ofItemAtPath: path)
        let second = LocalZone(now())
        #expect(second.identifier != first.identifier)
        #expect(second.local(0) == -9 * 3600 && first.local(0) == 3 * 3600)
    }
}
