/// Launch texts by rule: every kind of one thing beside every kind of another.
enum LaunchProducts {
    static let cases = chains + values + spaces + filters + strays

    private static func number(_ prefix: String, _ texts: [String]) -> [LaunchCorpus.Case] {
        texts.enumerated().map { LaunchCorpus.Case(id: "\(prefix)-\($0.offset)", launch: $0.element) }
    }

    /// What a chain can begin with, be joined by and end in; the named elements stand behind.
    static let chains: [LaunchCorpus.Case] = {
        let sources = [
            "identity", "identity name=x", "( identity )", "bin.( name=y identity )", "t.", "t.src_0", "file:///tmp/a",
            "tee .src_0", "( u. ! fakesink )",
        ]
        let joins = ["!", ":", "! a/b !", ": a/b :", "! .sink"]
        let sinks = [
            "identity", "( identity ! fakesink )", "u.", "u.sink", "file:///tmp/mediahost-corpus", "( fakesrc ! u. )",
        ]
        var texts: [String] = []
        for source in sources {
            for join in joins {
                for sink in sinks { texts.append("\(source) \(join) \(sink) tee name=t identity name=u") }
            }
        }
        return number("chain", texts)
    }()

    /// Ways to write a value, at the places where a value can stand.
    static let values: [LaunchCorpus.Case] = {
        let values = [
            "a", "\"a\"", "'a'", "\"a b\"", "'a b'", "a\\ b", "\"a\\\"b\"", "a\"b", "\"\"", "''", "\"a", "'a", "a!",
            "\"a\"!", "a\\!", "(a)", "a)", "\"a)\"", "a=b", "a;b", "a,b", "a\\", "a\\\\", "\\\"a", "é", "\"!\"", "!a",
        ]
        let places = [
            "filesrc location=# ! fakesink", "filesrc ! filesink location=#", "( filesrc location=# ) ! fakesink",
            "( filesrc location=#) ! fakesink", "filesrc location = # ! fakesink",
            "filesrc location=# blocksize=9 ! fakesink",
        ]
        return number(
            "value", places.flatMap { place in values.map { place.replacing("#", with: $0) } })
    }()

    /// Every kind of white space around every sign.
    static let spaces: [LaunchCorpus.Case] = {
        let texts = [
            "fakesrc#!fakesink", "fakesrc!#fakesink", "fakesrc num-buffers#=3 ! fakesink",
            "fakesrc num-buffers=#3 ! fakesink", "#(#fakesrc#)#!#fakesink", "bin#.( fakesrc )",
            "bin.#( fakesrc )", "tee .src_0#,src_1 ! fakesink", "tee name=t t.#! fakesink", "fakesrc .src#! .sink#fakesink",
            "identity !#a/b#! fakesink", "identity ! a/b#,#c=3 ! fakesink", "#fakesrc", "fakesrc#",
        ]
        return number(
            "space", ["", " ", "\t", "\n", "\r\n", "  \t "].flatMap { space in texts.map { $0.replacing("#", with: space) } })
    }()

    /// Caps in all their forms between all pairs of signs.
    static let filters: [LaunchCorpus.Case] = {
        let caps = [
            "a/b", "a/b,c=1", "a/b,c=(int)1", "a/b,c=[1,2]", "a/b,c={1,2}", "a/b,c={x, y}", "a/b,c=\"d e\"", "a/b(f:g)",
            "a/b(f:g,h:i),c=1", "a/b;c/d", "a/b,c=1;d/e,f=2", "a/b,c=1/2", "a/b,c=(fraction)[1/2,3/4]", "a/b,c=<1,2>",
            "a/b,c=true", "a/b c", "a/b,c", "a/b,c=[1", "a/b,c=(int)x", "a/b,,c=1", "a/b;", "a/b,c=x:y", "a/b,c=x\\:y",
        ]
        var texts: [String] = []
        for caps in caps {
            for (open, close) in [("! ", " !"), ("!", "!"), (": ", " :"), ("! ", " :")] {
                texts.append("identity \(open)\(caps)\(close) fakesink")
            }
        }
        return number("filter", texts)
    }()

    /// One sign too many, everywhere.
    static let strays: [LaunchCorpus.Case] = {
        let signs = [
            "!", ":", "(", ")", ".", ",", ";", "=", "{", "}", "\"", "'", "#", "@", "\\", "-", "%", "/", "//", "://", "[", "|",
        ]
        let places = [
            "# fakesrc ! fakesink", "fakesrc # ! fakesink", "fakesrc ! # fakesink", "fakesrc ! fakesink #",
            "fakesrc ! fakesink#", "fakesrc ! ( # fakesink )", "fakesrc silent=true # ! fakesink",
            "fakesrc name=x # x. ! fakesink",
        ]
        return number("stray", places.flatMap { place in signs.map { place.replacing("#", with: $0) } })
    }()
}
