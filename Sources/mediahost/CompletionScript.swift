/// What makes a shell ask `mediahost __complete`, which knows the commands and asks the host that runs.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// The first line of the answer says whether files may stand there, too; each other one is a word, a tab, and what it is.
    private static let bashText = #"""
        # bash completion for mediahost, made by `mediahost completion bash`
        _mediahost() {
            local kind= word=${COMP_WORDS[COMP_CWORD]} line
            COMPREPLY=()
            [ "$word" != = ] || word=
            {
                IFS= read -r kind
                while IFS=$'\t' read -r line _; do COMPREPLY+=("$line"); done
            } < <("${COMP_WORDS[0]/#\~\//$HOME/}" __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            case $kind in
            files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
            directories) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
            esac
            if [ "$kind" != none ]; then compopt -o filenames 2>/dev/null; fi
            case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
            return 0
        }
        complete -F _mediahost mediahost

        """#

    private static let zshText = #"""
        #compdef mediahost
        # zsh completion for mediahost, made by `mediahost completion zsh`
        _mediahost() {
            local line word
            local -a lines plain plain_shown open open_shown
            lines=("${(@f)$(${~${(Q)words[1]}} __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            [[ $PREFIX == *=* ]] && compset -P 1 '*='
            for line in "${(@)lines[2,-1]}"; do
                word=${line%%$'\t'*}
                if [[ $word == *= ]]; then
                    open+=("$word") open_shown+=("${line/$'\t'/  -- }")
                else
                    plain+=("$word") plain_shown+=("${line/$'\t'/  -- }")
                fi
            done
            (( $#plain )) && compadd -l -d plain_shown -a plain
            (( $#open )) && compadd -l -S '' -d open_shown -a open
            case $lines[1] in
            files) _files ;;
            directories) _files -/ ;;
            esac
        }
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            _mediahost "$@"
        else
            compdef _mediahost mediahost
        fi

        """#

    private static let fishText = #"""
        # fish completion for mediahost, made by `mediahost completion fish`
        function __mediahost_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
            set -l lines ($program __complete fish $words[2..] "$current" 2>/dev/null)
            test (count $lines) -gt 1; and printf '%s\n' $lines[2..]
            set -l prefix (string match -r '^[^=]*=' -- "$current")
            set -l path (string replace -r '^[^=]*=' '' -- "$current")
            switch "$lines[1]"
                case files
                    printf "$prefix%s\n" (__fish_complete_path "$path")
                case directories
                    printf "$prefix%s\n" (__fish_complete_directories "$path" '')
            end
        end
        complete -c mediahost -f -a '(__mediahost_complete)'

        """#
}
