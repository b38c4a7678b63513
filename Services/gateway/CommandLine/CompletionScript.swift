import ArgumentParser

/// Shell completion for `steward`: the argument parser's script, and the names of commands after
/// `help`, which that script leaves out.
enum CompletionScript {
    /// The first word of a command line by which a script asks for the subcommands of a command.
    static let question = "---commands"

    /// The shell whose script the command line asks for; nil if it asks for none, or the shell is
    /// unknown.
    static func shell(wantedBy words: [String]) -> CompletionShell? {
        let option = "--generate-completion-script"
        guard let first = words.first else { return nil }
        if first == option, words.count == 2 { return CompletionShell(rawValue: words[1]) }
        guard first.hasPrefix(option + "="), words.count == 1 else { return nil }
        return CompletionShell(rawValue: String(first.dropFirst(option.count + 1)))
    }

    /// The script for a shell.
    static func text(for shell: CompletionShell) -> String {
        let script = Steward.completionScript(for: shell)
        switch shell {
        case .bash: return script + "\n" + bash + literalBash
        case .fish:
            // Before version 4, fish reports where the cursor is only to an interactive shell.
            return script.replacing(
                "commandline -o $argv",
                with: """
                    if contains -- -tC $argv
                                string length -- "$(commandline -ct)"
                            else
                                commandline -o $argv
                            end
                    """) + "\n" + fish
        default:
            // Its last lines run the functions defined above them.
            let end = "if [[ \"${funcstack[1]}\" = _steward ]]; then"
            return script.replacing(end, with: zsh + "\n" + end)
        }
    }

    /// The names of the subcommands of the command with this path.
    static func commands(below path: some Sequence<String>) -> [String] {
        var command: any ParsableCommand.Type = Steward.self
        for word in path {
            guard
                let next = command.configuration.subcommands.first(where: {
                    $0._commandName == word
                })
            else { return [] }
            command = next
        }
        return command.configuration.subcommands.map { $0._commandName }
    }

    private static let bash = """
        _steward_help() {
            local commands
            commands="$("${COMP_WORDS[0]}" \(question) "${COMP_WORDS[@]:2:COMP_CWORD-2}")"
            COMPREPLY=($(compgen -W "${commands}" -- "${COMP_WORDS[COMP_CWORD]}"))
        }

        """

    /// Offers names, quoted so that the command line gets exactly these names. The function that it
    /// replaces lets `compgen` expand them, and has them quoted as names of files, for which bash
    /// leaves `$` and backticks as they are. Both run the commands in a name, which anyone may have
    /// given.
    private static let literalBash = #"""
        __steward_add_completions() {
            local name plain safe typed="${cur//\\/}" quote=''
            local special='\ "#$&'\''()*,:;<=>?@[]^`{|}~!'$'\t'
            local -i index
            if [[ "${1}" != -W ]]; then
                while IFS='' read -r name; do
                    COMPREPLY+=("${name}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
                return
            fi
            case "${COMP_WORDS[COMP_CWORD]}" in
            \'"${cur}"*) quote=\' special='' typed="${cur}" ;;
            \""${cur}"*) quote=\" special='\"$`' ;;
            [\"\']*)
                # The quotes are closed, and bash replaces them as well.
                [[ "${cur}" = [\"\']* ]] || return
                typed="${cur:1}"
                typed="${typed%[\"\']}"
                ;;
            esac
            compopt +o filenames 2> /dev/null
            while IFS='' read -r name; do
                [[ -n "${name}" && "${name}" = "${typed}"* ]] || continue
                # Between these quotes nothing keeps ! from standing for a former command.
                [[ "${quote}" = \" && "${name}" = *!* ]] && continue
                for ((index = 0; index < ${#special}; index++)); do
                    plain="${special:index:1}"
                    safe="\\${plain}"
                    name=${name//"${plain}"/"${safe}"}
                done
                [[ "${quote}" = \' ]] && name=${name//\'/"'\\''"}
                COMPREPLY+=("${name}")
            done <<< "${2}"
        }

        """#

    private static let zsh = """
        _steward_help() {
            local -a commands
            commands=("${(@f)$("${command_name}" \(question) "${(@)words[2,CURRENT-1]}")}")
            compadd -a commands
        }

        """

    private static let fish = """
        complete -c steward -n '__fish_seen_subcommand_from help' \
        -fka '(steward \(question) (commandline -opc)[3..])'

        """
}
