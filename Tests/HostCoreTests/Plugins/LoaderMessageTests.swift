import Testing

@testable import HostCore

/// What glibc says, as something to do.
@Suite struct LoaderMessageTests {
    @Test(arguments: [
        (
            "libgone.so.7: cannot open shared object file: No such file or directory",
            "cannot load /p.so: it needs the library libgone.so.7, which is not here",
            "install it; in Debian its package is likely libgone7; `ldd /p.so` lists all that is missing"
        ),
        (
            "/p.so: undefined symbol: foo_bar, version FOO_2",
            "cannot load /p.so: it needs the symbol foo_bar, which none of the libraries it names has",
            "link it with the library that has foo_bar; `ldd -r /p.so` lists all that is missing"
        ),
        (
            "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.99' not found (required by /p.so)",
            "cannot load /p.so: it needs version GLIBC_2.99 of /lib/x86_64-linux-gnu/libc.so.6, which is newer than the one here",
            "build it on the system it is to run on, or on an older one"
        ),
        (
            "/p.so: failed to map segment from shared object",
            "cannot load /p.so: /p.so: failed to map segment from shared object",
            "is its file system mounted with noexec? (`findmnt -T /p.so`)"
        ),
        ("who knows", "cannot load /p.so: who knows", "`ldd -r /p.so` says what it needs"),
        ("", "cannot load /p.so: ", "`ldd -r /p.so` says what it needs"),
        ("undefined symbol:", "cannot load /p.so: undefined symbol:", "`ldd -r /p.so` says what it needs"),
    ])
    func messagesSayWhatToDo(_ text: String, _ message: String, _ help: String) {
        #expect(LoaderMessage.explain(text, of: "/p.so") == PluginFailure(message, help: help))
    }

    @Test func packagesAreNamedAsDebianNamesThem() {
        #expect(LoaderMessage.debianPackage(of: "libsoup-3.0.so.0") == "libsoup-3.0-0")
        #expect(LoaderMessage.debianPackage(of: "libcurl.so.4") == "libcurl4")
        #expect(LoaderMessage.debianPackage(of: "libGL_x.so.1") == "libgl-x1")
        for other in ["libx.so", "x", "", "ld-linux.so.2", ".so.", "lib.so.so"] {
            _ = LoaderMessage.debianPackage(of: other)
        }
        #expect(LoaderMessage.debianPackage(of: "libx.so") == nil)
    }
}
