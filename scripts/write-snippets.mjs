// Writes the code of examples/ into a module of the contract: `node scripts/write-snippets.mjs`. Building does it too. The pages
// and the CLI show this code, and the contract cannot read files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WRITTEN = join(ROOT, 'packages/contract/src/snippets/examples.ts');
const MARK = /^\s*(?:\/\/|<!--) #(region|endregion)(?: ([a-z][\w-]*))?/;

/**
 * The regions of a file by name, without their marks. A file without regions is one, named ''.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function regionsOf(text) {
  /** @type {Record<string, string[]>} */
  const parts = {};
  let open = '';
  for (const line of text.trimEnd().split('\n')) {
    const [, mark, name = ''] = MARK.exec(line) ?? [];
    if (mark === 'region') {
      if (open || !name || parts[name]) throw new Error(`A region begins here that cannot: ${line.trim()}`);
      parts[name] = [];
    }
    if (mark) open = name;
    else parts[open]?.push(line);
  }
  if (open) throw new Error(`The region "${open}" does not end`);
  if (Object.keys(parts).length === 0) return { '': text };
  return Object.fromEntries(Object.entries(parts).map(([name, lines]) => [name, outdented(lines)]));
}

function outdented(/** @type {string[]} */ lines) {
  const indents = lines.filter(Boolean).map((line) => line.length - line.trimStart().length);
  const text = lines.map((line) => line.slice(Math.min(...indents))).join('\n');
  return `${text.trim()}\n`;
}

/** The module for the contract. A part of a file is named like `express/server.js#signup`. */
export function snippetModule(folder = join(ROOT, 'examples')) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|tsx?|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/node_modules|\.next|\.d\.ts$/.test(path));
  const entries = files.sort().flatMap((path) =>
    Object.entries(regionsOf(readFileSync(path, 'utf8'))).map(([name, code]) => {
      const key = relative(folder, path).replaceAll('\\', '/') + (name && `#${name}`);
      return `  ${JSON.stringify(key)}: ${JSON.stringify(code)},\n`;
    }),
  );
  return `// Written from the files of examples/ by scripts/write-snippets.mjs.\nexport const EXAMPLES = {\n${entries.join('')}};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(WRITTEN, snippetModule());
