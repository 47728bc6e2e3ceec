/** A value from JSON as YAML that every parser reads alike: texts are quoted, and only names that cannot mean anything else are not. */
export function toYaml(value: unknown): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: unknown): string[] {
  if (!hasParts(value)) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((item) => indented('- ', linesOf(item)));
  return Object.entries(value).flatMap(([name, inner]) => {
    const lines = linesOf(inner);
    return hasParts(inner) ? [`${nameOf(name)}:`, ...indented('  ', lines)] : [`${nameOf(name)}: ${lines[0]}`];
  });
}

const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function indented(start: string, [first = '', ...rest]: string[]): string[] {
  return [start + first, ...rest.map((line) => `  ${line}`)];
}

/** Words that older parsers take for a boolean or for nothing. */
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function nameOf(name: string): string {
  return /^[a-z$_][\w$-]*$/i.test(name) && !WORDS.test(name) ? name : JSON.stringify(name);
}
