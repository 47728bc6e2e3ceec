import type { Config } from './config.ts';

/** Says on the terminal where the service is. */
export function greet({ baseUrl, dataDir }: Config, store: 'embedded' | 'postgres', isFirstStart: boolean): void {
  process.stderr.write(`
  Store   ${store === 'embedded' ? `embedded Postgres in ${dataDir}` : 'Postgres'}
  API     ${baseUrl}/docs  (OpenAPI: ${baseUrl}/openapi.json)
  Health  ${baseUrl}/readyz

${isFirstStart ? `\n  To try the API first, run in another terminal:  npm run operator -- setup\n` : ''}
  Open ${baseUrl}${isFirstStart ? ' and create your account' : ''}
`);
}
