// Builds the classic script from the same source as the package, prints its size, and fails when it exceeds its limit.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const MAX_GZIP_BYTES = 1600;

export async function buildScript() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/script.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2021',
    legalComments: 'none',
    tsconfigRaw: {},
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error('The bundler wrote nothing');
  const script = output.contents;
  const target = new URL('dist/svc-tracker.js', import.meta.url);
  // Written to a temporary file and renamed, so that a server or a test never reads half of it.
  const temporary = new URL(`dist/svc-tracker.${process.pid}.tmp`, import.meta.url);
  await mkdir(new URL('dist/', import.meta.url), { recursive: true });
  await writeFile(temporary, script);
  await rename(temporary, target);
  return { bytes: script.length, gzipBytes: gzipSync(script, { level: 9 }).length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { bytes, gzipBytes } = await buildScript();
  console.error(`Tracker script: ${gzipBytes} bytes gzipped of ${MAX_GZIP_BYTES} allowed (${bytes} minified).`);
  if (gzipBytes > MAX_GZIP_BYTES) process.exit(1);
}
