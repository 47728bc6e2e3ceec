const STYLE = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
  h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
  pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
  .method { font-weight: 700; margin-right: 0.5rem; } nav a { margin-right: 1rem; }
  :target { outline: 2px solid; outline-offset: 0.5rem; border-radius: 0.25rem; }`;

/** Documentation pages run no scripts and load nothing from other origins. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};

/** Links between the documentation pages. */
export const NAVIGATION =
  '<nav><a href="/docs">API</a> <a href="/docs/errors">Errors</a> <a href="/docs/tracker">Tracker</a> ' +
  '<a href="/docs/payments">Payments</a> <a href="/openapi.json">OpenAPI</a></nav>';

export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${NAVIGATION}
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
