import { Argument, Command } from 'commander'

type Shell = 'bash' | 'zsh' | 'fish'

/** The words that may follow the words of a command: its subcommands and its options. */
interface Completed {
  /** Such as `config set`; empty for the program itself. */
  readonly path: string
  readonly words: readonly string[]
}

/** The command and all commands below it. */
function completed(command: Command, path: readonly string[] = []): readonly Completed[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  const words = [...command.commands.map((subcommand) => subcommand.name()), ...options, '--help']
  return [
    { path: path.join(' '), words: [...new Set(words)] },
    ...command.commands.flatMap((subcommand) => completed(subcommand, [...path, subcommand.name()])),
  ]
}

/** Bash completes files where the words so far are no command, or nothing else fits. */
const bash = (commands: readonly Completed[]): string => `_cadastre() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${commands.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
    ${commands
      .filter(({ path }) => path !== '')
      .toSorted((left, right) => right.path.length - left.path.length)
      .map(({ path, words }) => `'${path} '*) words='${words.filter((word) => word.startsWith('-')).join(' ')}' ;;`)
      .join('\n    ')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cadastre cadastre
`

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash,
  zsh: (commands) => `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`,
  fish: (commands) => {
    const lines = commands.flatMap(({ path, words }) => {
      const names = path === '' ? [] : path.split(' ')
      const condition =
        names.length === 0
          ? '__fish_use_subcommand'
          : names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
      return words.map((word) =>
        word.startsWith('--')
          ? `complete -c cadastre -n '${condition}' -l ${word.slice(2)}`
          : `complete -c cadastre -f -n '${condition}' -a ${word}`,
      )
    })
    return `${lines.join('\n')}\n`
  },
}

/** Prints a script with which a shell completes commands and options. */
export const completionCommand = new Command('completion')
  .description('Print a script that completes commands and options in a shell.')
  .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
  .addHelpText('after', '\nExample:\n  cadastre completion bash > /etc/bash_completion.d/cadastre')
  .action((shell: Shell, _options, command: Command) => {
    process.stdout.write(SCRIPTS[shell](command.parent ? completed(command.parent) : []))
  })
