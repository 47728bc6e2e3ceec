import { fileURLToPath } from 'node:url';
import { routes } from '@svc/contract';
import tailwind from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';

/** Puts methods and paths of the contract's routes into the bundle; their schemas stay with the compiler. */
function contractRoutes() {
  const name = 'virtual:routes';
  const table = Object.fromEntries(routes.map(({ id, method, path }) => [id, { method, path }]));
  return {
    name: 'contract-routes',
    resolveId: (/** @type {string} */ id) => (id === name ? `\0${name}` : null),
    load: (/** @type {string} */ id) => (id === `\0${name}` ? `export const routes = ${JSON.stringify(table)};` : null),
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [tailwind(), contractRoutes()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" in a library means nothing in an application that runs in the browser only.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  server: { proxy: { '/api': 'http://localhost:4000', '/js': 'http://localhost:4000' } },
});
