import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The packages that a walk changes. The others are linked. */
const COPIED = ['contract', 'server', 'dashboard', 'testkit'];
const isSource = (path: string) => !/\/(dist|node_modules)(\/|$)/.test(path.slice(ROOT.length - 1));

/** A copy of the repository whose sources can be edited, type-checked and imported. It shares the installed libraries. */
export function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-walk-'));
  mkdirSync(join(copy, 'packages'));
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const [from, to] = [join(ROOT, 'packages', name), join(copy, 'packages', name)];
    if (COPIED.includes(name)) cpSync(from, to, { recursive: true, filter: isSource });
    else symlinkSync(from, to);
  }
  for (const name of ['package.json', 'tsconfig.base.json']) symlinkSync(join(ROOT, name), join(copy, name));
  linkLibraries(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(ROOT, 'packages/dashboard/node_modules'), join(copy, 'packages/dashboard/node_modules'));
  return copy;
}

/** Every library, except for the packages of the repository: those are the ones of the copy. */
function linkLibraries(from: string, to: string): void {
  mkdirSync(join(to, '@svc'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@svc') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@svc'))) symlinkSync(`../../packages/${name}`, join(to, '@svc', name));
}

/** Libraries stay where they are, and each module still finds its files. */
const asModules: Plugin = {
  name: 'as-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w@]/ }, ({ path }) => (path.startsWith('@svc/') ? null : { path, external: true }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }));
  },
};

let bundled = 0;

/** Imports modules of the copy. They are bundled first, to where the test runner leaves them alone: it would compile hundreds of them one by one. */
export async function importFrom(copy: string, paths: string[]): Promise<unknown[]> {
  const outfile = join(copy, `node_modules/bundle-${bundled++}.mjs`);
  const lines = paths.map((path, index) => `import * as part${index} from './${path}';`);
  const parts = paths.map((_, index) => `part${index}`);
  await build({
    stdin: { contents: `${lines.join('\n')}\nexport const parts = [${parts.join(', ')}];`, resolveDir: copy },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    plugins: [asModules],
  });
  return (await import(outfile)).parts;
}

/** Adds a line after the first one that contains `after`, with the same indentation. */
export function addLine(file: string, after: string, line: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((text) => text.includes(after));
  if (index < 0) throw new Error(`${file} has no line with ${after}`);
  const [indentation = ''] = /^\s*/.exec(lines[index] ?? '') ?? [];
  lines.splice(index + 1, 0, `${indentation}${line}`);
  writeFileSync(file, lines.join('\n'));
}

const CHECKED = {
  server: {},
  dashboard: {
    module: 'preserve',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node', 'vite/client'],
  },
};

/** The files of the copy in which the compiler finds errors. */
export function filesWithErrors(copy: string, name: keyof typeof CHECKED): string[] {
  const config = join(copy, `tsconfig.${name}.json`);
  const settings = {
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    ...CHECKED[name],
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: './tsconfig.base.json',
      compilerOptions: settings,
      include: [`packages/${name}/src`],
      exclude: ['**/*.test.ts'],
    }),
  );
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', config, '--pretty', 'false', '--checkers', '1'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...new Set([...stdout.matchAll(/^(\S+\.tsx?)\(/gm)].map(([, file = '']) => file))];
}
