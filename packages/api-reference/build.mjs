// Builds the pages of the guide, and the script of the API reference page: Scalar's component, set up for this service. Only browsers run it, so the
// service itself needs none of Scalar's packages.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildGuide } from './build-guide.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist/reference');
const builtFrom = join(dist, 'built-from');

// The component tries whether it may compile code at run time. The page's policy forbids that and would report the attempt,
// so it fails here before it is made.
const BEFORE = `{
  const refuse = () => { throw new EvalError('Code is not compiled at run time here'); };
  globalThis.Function = new Proxy(Function, { construct: refuse, apply: refuse });
}
`;

const CONFIGURATION = {
  url: '/openapi.json',
  // The font of the pages and no services of others: the page loads nothing from outside.
  withDefaultFonts: false,
  // Colors come from the tokens of the dashboard; see docs.css.
  theme: 'none',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  defaultOpenFirstTag: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hideModels: true,
};
// Some elements of the component have names and roles that screen readers cannot make sense of, or cannot be scrolled by keyboard.
const REPAIRS = `{
  const all = (selector) => document.querySelectorAll('#reference ' + selector);
  const repair = () => {
    for (const element of all('[aria-selected]:not([role])')) {
      if (element.getAttribute('aria-selected') === 'true') element.setAttribute('aria-current', 'page');
      else element.removeAttribute('aria-current');
      element.removeAttribute('aria-selected');
    }
    for (const button of all('button[role="search"]')) button.removeAttribute('role');
    for (const element of all('aside[role="navigation"]')) element.removeAttribute('role');
    for (const button of all('[role="tablist"] button:not([role="tab"])')) button.setAttribute('role', 'tab');
    for (const list of all('ul[aria-label$="endpoints"]:not([tabindex])')) list.tabIndex = 0;
    for (const button of all('button.show-more[aria-label]')) button.removeAttribute('aria-label');
    for (const button of all('button:not([aria-label], [aria-labelledby])')) {
      const text = button.innerText.replace(/\\s+/g, ' ').trim();
      if (!text) button.setAttribute('aria-label', button.hasAttribute('aria-expanded') ? 'Show or hide' : 'More');
    }
  };
  let isDue = false;
  const schedule = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      repair();
    });
  };
  const changes = { childList: true, subtree: true, attributeFilter: ['aria-selected'] };
  new MutationObserver(schedule).observe(document.getElementById('reference'), changes);
  schedule();
}
`;
// The component renders in many steps, each of which moves what is there. It is shown once it stands still, or after a while in any case.
const HIDE = `document.getElementById('reference').dataset.still = 'no';
`;
const SHOW = `{
  const reference = document.getElementById('reference');
  const show = () => {
    observer.disconnect();
    clearTimeout(quiet);
    clearTimeout(latest);
    reference.dataset.still = 'yes';
  };
  const wait = () => {
    clearTimeout(quiet);
    // Before the description is there, the component only has its frame.
    if (reference.querySelector('h1, h2, h3')) quiet = setTimeout(show, 400);
  };
  let quiet;
  const latest = setTimeout(show, 20_000);
  const observer = new MutationObserver(wait);
  observer.observe(reference, { childList: true, subtree: true, characterData: true });
  wait();
}
`;
const AFTER = `\n${HIDE}Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)});\n${REPAIRS}${SHOW}`;

// A tenth larger than at the highest quality, which takes fourteen times as long.
const SMALL = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes the script and its compressed forms, unless they were built from the same sources before. */
export async function buildReference() {
  const sources = [await readFile(join(folder, 'package.json'), 'utf8'), BEFORE, AFTER].join('');
  const fingerprint = createHash('sha256').update(sources).digest('hex');
  if ((await readFile(builtFrom, 'utf8').catch(() => '')) === fingerprint) return;
  const script = Buffer.from(BEFORE + (await componentScript()) + AFTER);
  // Built beside and renamed, so that a service or a test never reads half of it.
  const beside = `${dist}.${process.pid}.tmp`;
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, 'reference.js'), script);
  await writeFile(join(beside, 'reference.js.br'), brotliCompressSync(script, SMALL));
  await writeFile(join(beside, 'reference.js.gz'), gzipSync(script, { level: 9 }));
  await writeFile(join(beside, 'built-from'), fingerprint);
  await rm(dist, { recursive: true, force: true });
  await rename(beside, dist);
}

/** The component as its Fastify plugin serves it. */
async function componentScript() {
  const [{ default: Fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = Fastify();
  await app.register(plugin, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`The component's script was answered with ${statusCode}`);
  return body;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildGuide();
  await buildReference();
}
