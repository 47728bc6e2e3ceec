import { fileURLToPath } from 'node:url';
import { FEED_EVENTS, routes } from '@svc/contract';
import tailwind from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';
import { countryShapes, MAP_VIEW } from './country-shapes.mjs';

/**
 * Puts methods, paths and rights of the contract's routes, and the types of its events, into the bundle; their schemas stay with
 * the compiler.
 */
function contractTables() {
  const routeTable = Object.fromEntries(
    routes.map(({ id, method, path, role, partners }) => [id, { method, path, role, partners }]),
  );
  const eventTable = Object.fromEntries(Object.entries(FEED_EVENTS).map(([type, { summary }]) => [type, summary]));
  const modules = new Map([
    ['virtual:routes', `export const routes = ${JSON.stringify(routeTable)};`],
    ['virtual:feed-events', `export const feedEvents = ${JSON.stringify(eventTable)};`],
  ]);
  return {
    name: 'contract-tables',
    resolveId: (/** @type {string} */ id) => (modules.has(id) ? `\0${id}` : null),
    load: (/** @type {string} */ id) => modules.get(id.slice(1)) ?? null,
  };
}

/** The map of countries. Only the file that draws it imports it, which is loaded when a map is shown. */
function countryMap() {
  const id = 'virtual:country-map';
  return {
    name: 'country-map',
    resolveId: (/** @type {string} */ asked) => (asked === id ? `\0${id}` : null),
    load: (/** @type {string} */ loaded) =>
      loaded === `\0${id}`
        ? `export const shapes = ${JSON.stringify(countryShapes())};\nexport const view = ${JSON.stringify(MAP_VIEW)};`
        : null,
  };
}

/** Starts loading the font of the first page together with its styles, so that text is not drawn twice. */
function preloadFont() {
  return {
    name: 'preload-font',
    apply: /** @type {const} */ ('build'),
    transformIndexHtml(
      /** @type {string} */ _html,
      /** @type {{ bundle?: Record<string, { fileName: string }> }} */ { bundle = {} },
    ) {
      const font = Object.values(bundle).find(({ fileName }) => /geist-latin-wght-normal.*\.woff2$/.test(fileName));
      if (!font) throw new Error('The build contains no font to preload');
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font.fileName}` };
      return [{ tag: 'link', attrs, injectTo: /** @type {const} */ ('head') }];
    },
  };
}

/** What the service answers itself. The other paths are pages of the application. */
const SERVICE_PATHS = ['/api', '/js', '/packages', '/docs', '/openapi', '/healthz', '/readyz'];
const service = `http://localhost:${process.env.PORT ?? 4000}`;

/** While developing, takes the settings from the page that the service would have sent. */
function serviceSettings() {
  const settings = /content="\{[^"]*\}"/;
  return {
    name: 'service-settings',
    apply: /** @type {const} */ ('serve'),
    async transformIndexHtml(
      /** @type {string} */ html,
      /** @type {{ originalUrl?: string }} */ { originalUrl = '/' },
    ) {
      const page = await fetch(service + originalUrl).then(
        (response) => response.text(),
        () => '',
      );
      return html.replace(settings, settings.exec(page)?.[0] ?? '$&');
    },
  };
}

const BEFORE_SIGN_IN =
  /contract[\\/]src[\\/]values[\\/]mail-kinds|src[\\/]((api|rules|ui[\\/]layout)|ui[\\/](feedback[\\/](toast|query-state|notice)|forms[\\/](button|field|form|leave-guard))|features[\\/]sign-in[\\/]sign-in|app[\\/](error-pages|(offline|slow-change)-notice|routes[\\/]page-loading))\b/;
/** Of these, what only pages behind the sign-in need. */
const BEHIND_SIGN_IN =
  /src[\\/](api[\\/](bulk|download|payout-runs|setup-progress)|rules[\\/](bulk|calendar|cohorts|creative|decision-facts|event-types|invitees|journey|last-payment|message|page-position|partner-link|payout|pretty-json|refusal|same-page|shade|site-address|sum-by-currency|terms)|ui[\\/]layout[\\/](checklist|details|step))\b/;

/**
 * What pages share is downloaded in a few files: libraries that every page needs, the look of sign-in, that of the pages behind it with all
 * icons, and the whole portal, whose pages are small. Other pages stay on their own; what pages of one feature share has a file per feature.
 * The project decides this, because what a bundler would split off by itself differs between platforms.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](?!.*table)[^\\/]+)[\\/]/,
  },
  {
    name: 'base',
    test: (/** @type {string} */ module) => BEFORE_SIGN_IN.test(module) && !BEHIND_SIGN_IN.test(module),
  },
  {
    name: 'ui',
    test: /node_modules[\\/](radix-ui|@radix-ui|@floating-ui|lucide-react|@tanstack)[\\/]|src[\\/](api[\\/]|rules[\\/]|ui[\\/](?!charts[\\/](trend-chart|country-map)|records[\\/]qr)|app[\\/]shell[\\/](program-layout|(brand|portal)-(shell|home)|own-shell))/,
  },
  { name: 'portal', test: /src[\\/]features[\\/]portal[\\/]/ },
  { name: 'earnings', test: /contract[\\/]src[\\/]values[\\/](describe-earnings|money|decimal|terms-rule-problems)\b/ },
  { name: 'snippets', test: /contract[\\/]src[\\/]snippets[\\/]/ },
  { name: 'qr', test: /node_modules[\\/]uqr[\\/]/ },
  { name: featureOf, debugName: 'features', test: /src[\\/]features[\\/]/, minShareCount: 2 },
];

function featureOf(/** @type {string} */ module) {
  return /src[\\/]features[\\/]([^\\/]+)/.exec(module)?.[1];
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [tailwind(), contractTables(), countryMap(), preloadFont(), serviceSettings()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" in a library means nothing in an application that runs in the browser only.
      output: { codeSplitting: { groups: CHUNKS } },
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  server: { proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, service])) },
});
