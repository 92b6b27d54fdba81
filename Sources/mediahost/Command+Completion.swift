internal import HostCore

extension Command {
    /// `mediahost completion`
    static let completion = Command(
        name: "completion", summary: "A script that makes bash complete commands and options",
        details: "Put it where bash looks: `mediahost completion > /etc/bash_completion.d/mediahost`, "
            + "or try it with `. <(mediahost completion)`."
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        Output.write(script, to: Terminal.output)
        return .success
    }

    /// Options by command; whatever is no option is a command's name first, and a file afterwards.
    private static var script: String {
        let cases = CommandTable.all.map { command in
            let words = (command.options + [.help]).map { "--\($0.long)" }.joined(separator: " ")
            let first = command.words.isEmpty ? "" : " first='\(command.words.joined(separator: " "))'"
            return "    \(command.name)) options='\(words)'\(first) ;;"
        }
        let names = CommandTable.all.map(\.name).joined(separator: " ")
        return """
            _mediahost() {
                local word=${COMP_WORDS[COMP_CWORD]} options= first=
                if [ "$COMP_CWORD" -eq 1 ]; then
                    mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word")
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
                case $word in
                -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
                *)
                    if [ "${COMP_WORDS[1]}" = help ]; then
                        mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word")
                    elif [ -n "$first" ] && [ "$COMP_CWORD" -eq 2 ]; then
                        mapfile -t COMPREPLY < <(compgen -W "$first" -- "$word")
                    else
                        mapfile -t COMPREPLY < <(compgen -f -- "$word")
                    fi
                    ;;
                esac
            }
            complete -F _mediahost mediahost

            """
    }
}
