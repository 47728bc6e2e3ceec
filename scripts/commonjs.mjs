import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/**
 * Writes the compiled modules of a package again, for `require`, to `cjs/` below them, with their types. They are not
 * bundled: its entries share the state of the modules below them, like those for `import` do.
 *
 * @param {URL} dist
 * @param {RegExp} [leftOut] files that are not part of the package
 */
export async function buildCommonJs(dist, leftOut = /^$/) {
  await mkdir(new URL('cjs/', dist), { recursive: true });
  await put(new URL('cjs/package.json', dist), '{ "type": "commonjs" }\n');
  const modules = (await readdir(dist)).filter((name) => name.endsWith('.js') && !leftOut.test(name));
  for (const name of modules) {
    const source = await readFile(new URL(name, dist), 'utf8');
    const { code } = await transform(source, { format: 'cjs', target: 'es2022', tsconfigRaw: {} });
    await put(new URL(`cjs/${name}`, dist), code);
    const types = name.replace(/\.js$/, '.d.ts');
    await put(new URL(`cjs/${types}`, dist), await readFile(new URL(types, dist)));
  }
}

/**
 * Writes through a temporary file, so that a server or a test never reads half of it.
 *
 * @param {URL} target
 * @param {string | Uint8Array} contents
 */
export async function put(target, contents) {
  const temporary = new URL(`${target.href}.${process.pid}.tmp`);
  await writeFile(temporary, contents);
  await rename(temporary, target);
}
