import { readFile } from 'node:fs/promises';

declare global {
  var svcEngine: WebAssembly.Module | undefined;
}

// Compiles the engine once per process, so that the embedded stores it opens do not compile it again.
const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
globalThis.svcEngine ??= await WebAssembly.compile(await readFile(file));
