/** The curl commands in a text, parsed as a shell would, with `$NAME` and `<name>` replaced from `values`. */
export function curlCommands(text: string, values: Record<string, string>): CurlCommand[] {
  const joined = text.replaceAll('\\\n', ' ');
  return joined
    .split('\n')
    .filter((line) => line.trim().startsWith('curl '))
    .map((line) => parseCurl(shellWords(fillIn(line, values))));
}

export type CurlCommand = { method: string; path: string; headers: Record<string, string>; body: string | undefined };

function parseCurl(words: string[]): CurlCommand {
  const command: CurlCommand = { method: 'GET', path: '', headers: {}, body: undefined };
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = () => words[++index] ?? '';
    if (word === '-H') {
      const [name = '', ...value] = next().split(':');
      command.headers[name.toLowerCase()] = value.join(':').trim();
    } else if (word === '-d') {
      command.body = next();
      command.method = 'POST';
    } else if (word === '-X') {
      command.method = next();
    } else if (word.startsWith('http')) {
      command.path = new URL(word).pathname;
    } else if (word !== '-s') {
      throw new Error(`A curl command of the docs uses ${word}, which this test does not know`);
    }
  }
  return command;
}

function fillIn(line: string, values: Record<string, string>): string {
  return line.replace(/\$([A-Z_]+)|<([a-z_]+)>/g, (whole, variable, name) => values[variable ?? name] ?? whole);
}

function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}
