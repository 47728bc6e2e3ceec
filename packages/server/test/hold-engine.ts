import { readFile } from 'node:fs/promises';

declare global {
  var svcEngine: WebAssembly.Module | undefined;
}

// While a process holds the compiled engine, each embedded store that it opens uses that code instead of compiling it again.
const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
globalThis.svcEngine ??= await WebAssembly.compile(await readFile(file));
