import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A place in the command line: the words that lead there, what can follow, and of that the commands and its own flags. */
type Place = { path: string; words: string[]; commands: { name: string; description: string }[]; flags: Flag[] };
type Flag = { long: string; description: string; takesValue: boolean };

/** A script that completes commands, their arguments and flags in a shell. It contains them, so it asks nobody. */
export function completionScript(svc: Command, shell: Shell): string {
  const places = placesIn(svc, '', flagsOf(svc));
  return { bash, zsh, fish }[shell](places);
}

function placesIn(command: Command, path: string, globalFlags: Flag[]): Place[] {
  const commands = command.commands.map((sub) => ({ name: sub.name(), description: sub.description() }));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const flags = flagsOf(command);
  const allFlags = new Set([...flags, ...globalFlags].map(({ long }) => long));
  const words = [...commands.map(({ name }) => name), ...choices, ...allFlags];
  const below = command.commands.flatMap((sub) => placesIn(sub, `${path} ${sub.name()}`.trim(), globalFlags));
  return [{ path, words, commands, flags }, ...below];
}

function flagsOf(command: Command): Flag[] {
  return command.options.flatMap(({ long, description, required, optional }) =>
    long ? [{ long, description, takesValue: required || optional }] : [],
  );
}

/** The lines of `case` that find the place, and those that offer what follows. */
function casesOf(places: Place[], offer: (words: string) => string): { find: string; follow: string } {
  const known = places
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const words = path.split(' ');
      return `"${words.slice(0, -1).join(' ')} ${words.at(-1)}"`;
    });
  return {
    find: `      ${known.join(' | ')}) at="\${at:+$at }$word" ;;`,
    follow: places.map(({ path, words }) => `    "${path}") ${offer(words.join(' '))} ;;`).join('\n'),
  };
}

function bash(places: Place[]): string {
  const { find, follow } = casesOf(places, (words) => `offered="${words}"`);
  return `# Completes svc in bash: source <(svc completions bash)
_svc() {
  local at="" word offered=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
${find}
    esac
  done
  case "$at" in
${follow}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`;
}

function zsh(places: Place[]): string {
  const { find, follow } = casesOf(places, (words) => `compadd -- ${words}`);
  return `#compdef svc
# Completes svc in zsh: source <(svc completions zsh)
_svc() {
  local at="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${find}
    esac
  done
  case "$at" in
${follow}
  esac
  [[ $PREFIX == -* ]] || _files
}
compdef _svc svc
`;
}

function fish(places: Place[]): string {
  const quote = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = places.flatMap(({ path, words, commands, flags }) => {
    const at = path.split(' ').filter(Boolean);
    const seen = at.map((word) => `__fish_seen_subcommand_from ${word}`);
    const none =
      commands.length > 0 ? [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`] : [];
    const when = (conditions: string[]) => (conditions.length > 0 ? ` -n ${quote(conditions.join('; and '))}` : '');
    const choices = words.filter((word) => !word.startsWith('-') && !commands.some(({ name }) => name === word));
    return [
      ...commands.map(
        ({ name, description }) => `complete -c svc -f${when([...seen, ...none])} -a ${name} -d ${quote(description)}`,
      ),
      ...choices.map((word) => `complete -c svc -f${when(seen)} -a ${quote(word)}`),
      ...flags.map(
        ({ long, description, takesValue }) =>
          `complete -c svc${when(seen)} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${quote(description)}`,
      ),
    ];
  });
  return `# Completes svc in fish: svc completions fish | source\n${lines.join('\n')}\n`;
}
