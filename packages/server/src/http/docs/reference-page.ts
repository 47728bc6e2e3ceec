import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Asset, assetOf } from '../assets/asset.ts';
import { bar } from './page.ts';

export const REFERENCE_SCRIPT = '/docs/reference.js';

/** Nothing runs or loads but what this service serves, and no code is compiled at run time. */
export const REFERENCE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};

/** The API reference: every route with its fields and examples, and a way to try it. It reads `/openapi.json`. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · svc docs</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
${bar({ part: 'API reference', hasSearch: false })}
<noscript><p>This page needs JavaScript. Without it, read the OpenAPI description at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<div id="content"><div id="reference"></div></div>
<script src="${REFERENCE_SCRIPT}"></script>
</body>
</html>
`;

/** Reads the page's script as it was built and compressed. It is large, so it is read when the page is first opened. */
export async function loadReferenceScript(): Promise<Asset> {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@svc/api-reference/package.json')),
    'dist/reference',
  );
  const read = (name: string) => readFile(join(folder, name));
  const [body, br, gzip] = await Promise.all(['reference.js', 'reference.js.br', 'reference.js.gz'].map(read)).catch(
    (cause) => {
      throw new Error('The API reference is not built; run `npm run build`', { cause });
    },
  );
  return assetOf(body as Buffer, 'text/javascript; charset=utf-8', { br, gzip });
}
