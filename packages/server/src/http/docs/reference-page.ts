import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Asset, assetOf } from '../assets/asset.ts';
import { NAVIGATION } from './page.ts';

export const REFERENCE_SCRIPT = '/docs/reference.js';

/** Nothing runs or loads but what this service serves, and no code is compiled at run time. */
export const REFERENCE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};

const STYLE = `
  :root { --scalar-custom-header-height: 3rem; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
  body > nav { position: sticky; top: 0; z-index: 10; height: 3rem; box-sizing: border-box; padding: 0.75rem 1.25rem; background: var(--scalar-background-1, Canvas);
    border-bottom: 1px solid var(--scalar-border-color, GrayText); }
  body > nav a { margin-right: 1rem; color: var(--scalar-color-1, LinkText); } noscript p { padding: 1.25rem; }`;

/** The API reference: every route with its fields and examples, and a way to try it. It reads `/openapi.json`. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<style>${STYLE}</style>
</head>
<body>
${NAVIGATION}
<noscript><p>This page needs JavaScript. Without it, read the OpenAPI description at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<main id="reference"></main>
<script src="${REFERENCE_SCRIPT}"></script>
</body>
</html>
`;

/** Reads the page's script as it was built and compressed. It is large, so it is read when the page is first opened. */
export async function loadReferenceScript(): Promise<Asset> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@svc/api-reference/package.json')), 'dist');
  const read = (name: string) => readFile(join(folder, name));
  const [body, br, gzip] = await Promise.all(['reference.js', 'reference.js.br', 'reference.js.gz'].map(read)).catch(
    (cause) => {
      throw new Error('The API reference is not built; run `npm run build`', { cause });
    },
  );
  return assetOf(body as Buffer, 'text/javascript; charset=utf-8', { br, gzip });
}
