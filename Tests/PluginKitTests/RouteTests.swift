import HostTestKit
import PluginABI
import PluginKit
import Testing

/// What a plugin in Swift serves.
@Suite struct RouteTests {
    private func gallery() throws -> FakeInstance {
        try .running(Gallery.descriptor.id, of: PluginEntry.entry(for: Gallery.self))
    }

    @Test func theTableIsWhatThePluginDeclares() throws {
        let gallery = try gallery()
        let table = try gallery.table(MH_EXT_ROUTES, as: mh_routes_plugin_1.self).pointee
        #expect(table.count == 6)
        let row = try #require(table.routes)[2]
        #expect(
            [row.method, row.path, row.summary].map { String(cString: $0) } == [
                "PUT", "/pictures/{name}", "Takes one.",
            ])
        gallery.end()
    }

    @Test func eachKindOfAnswerCrosses() throws {
        let gallery = try gallery()
        let page = try gallery.ask(route: "GET /")
        #expect(page.status == 200 && page.contentType == "text/html" && page.text == "<p>Grüße")
        let picture = try gallery.ask(route: "GET /pictures/{name}", ["name": "cat"], query: ["size": "4"])
        #expect(picture == FakeResponse(status: 203, contentType: "image/png", body: [3, 3, 3, 3]))
        let taken = try gallery.ask(
            route: "PUT /pictures/{name}", ["name": "dog"], contentType: "image/gif", body: [1, 0, 2])
        #expect(taken.value == ["name": "dog: image/gif", "bytes": 3])
        let gone = try gallery.ask(route: "DELETE /pictures/{name}", ["name": "dog"])
        #expect(gone == FakeResponse(status: 204, contentType: "", body: []))
        gallery.end()
    }

    @Test func anErrorIsToldWithItsCode() throws {
        let gallery = try gallery()
        let token = try gallery.request(route: "GET /pictures/{name}", ["name": "none"])
        #expect(gallery.fake.seen.rejections[token] == ["there is no such picture"])
        #expect(gallery.fake.seen.rejectionStatus[token] == mh_status(MH_E_NOT_FOUND))
        let dropped = try gallery.request(route: "GET /never")
        #expect(
            gallery.fake.seen.rejections[dropped]
                == ["request GET /never ended without an answer; this is a fault of the plugin"])
        gallery.end()
    }

    @Test func aClientThatHungUpIsSeen() throws {
        let gallery = try gallery()
        #expect(try gallery.ask(route: "GET /later").text == "here")
        let token = try gallery.request(route: "GET /later")
        try gallery.hangUp(token)
        gallery.settle()
        #expect(gallery.fake.seen.responses[token]?.map(\.text) == ["too late"])
        gallery.end()
    }
}
