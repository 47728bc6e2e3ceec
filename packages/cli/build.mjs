// Bundles the command into a folder that is a complete npm package without dependencies.
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = new URL('./', import.meta.url);

/** Writes the package to `folder` (default: dist/package) and returns the folder. */
export async function buildCli(folder = new URL('dist/package/', here)) {
  const { outputFiles, metafile } = await build({
    entryPoints: [{ in: fileURLToPath(new URL('src/main.ts', here)), out: 'svc' }],
    outdir: fileURLToPath(folder),
    outExtension: { '.js': '.mjs' },
    // Only `svc mcp` loads its protocol. The other commands start in 0.25 instead of 0.35 CPU seconds.
    splitting: true,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    loader: { '.template': 'text' },
    legalComments: 'inline',
    // Some bundled packages still call require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);",
    },
    metafile: true,
    write: false,
  });
  await mkdir(folder, { recursive: true });
  const { version, description, keywords, license } = JSON.parse(await readFile(new URL('package.json', here), 'utf8'));
  const packageJson = {
    name: '@svc/cli',
    version,
    description,
    keywords,
    license,
    type: 'module',
    bin: { svc: 'svc.mjs' },
    engines: { node: '>=20.19' },
    files: [...outputFiles.map(({ path }) => basename(path)).sort(), 'LICENSES.txt'],
  };
  // The file that imports the others comes last. Their names have a hash, so that an old one never imports a new one.
  const isEntry = (/** @type {{ path: string }} */ { path }) => basename(path) === 'svc.mjs';
  for (const file of outputFiles.toSorted((one, other) => Number(isEntry(one)) - Number(isEntry(other)))) {
    await put(new URL(basename(file.path), folder), file.contents, isEntry(file) ? 0o755 : 0o644);
  }
  await put(new URL('package.json', folder), `${JSON.stringify(packageJson, null, 2)}\n`, 0o644);
  await copyFile(new URL('../../LICENSE', here), new URL('LICENSE', folder));
  await put(new URL('LICENSES.txt', folder), await collectLicenses(Object.keys(metafile.inputs)), 0o644);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.mjs') && !packageJson.files.includes(name)) await rm(new URL(name, folder));
  }
  return folder;
}

/**
 * The licenses of the bundled packages, which must be distributed with them.
 *
 * @param {string[]} inputs
 */
async function collectLicenses(inputs) {
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const parts = [];
  for (const name of [...new Set(names)].filter((found) => found !== undefined).sort()) {
    const folder = new URL(`../../node_modules/${name}/`, here);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const { license } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
    parts.push(`${name} (${license})\n\n${file ? await readFile(new URL(file, folder), 'utf8') : ''}`);
  }
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Writes a file through a temporary one, so that a server or a test never reads half of it.
 *
 * @param {URL} target
 * @param {string | Uint8Array} contents
 * @param {number} mode
 */
async function put(target, contents, mode) {
  const temporary = new URL(`${target.href}.${process.pid}.tmp`);
  await writeFile(temporary, contents);
  await chmod(temporary, mode);
  await rename(temporary, target);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildCli();
  const { files } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  const contents = await Promise.all(files.map((/** @type {string} */ name) => readFile(new URL(name, folder))));
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  console.log(`CLI: ${Math.ceil(bytes / 1024)} KiB.`);
}
