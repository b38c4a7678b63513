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

    /// Offers words as they are. The function that it replaces lets `compgen` expand them, which
    /// runs the commands in a name: anyone may have given it.
    private static let literalBash = #"""
        __steward_add_completions() {
            local completion plain="${cur//\\/}"
            plain="${plain#[\"\']}"
            if [[ "${1}" = -W ]]; then
                while IFS='' read -r completion; do
                    case "${completion}" in
                    '') ;;
                    "${cur}"* | "${plain}"*) COMPREPLY+=("${completion}") ;;
                    esac
                done <<< "${2}"
            else
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
            fi
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
