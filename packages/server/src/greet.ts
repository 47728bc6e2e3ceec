import type { Config } from './config.ts';

/** Says on the terminal where the service is. */
export function greet({ baseUrl, dataDir }: Config, store: 'embedded' | 'postgres', isFirstStart: boolean): void {
  const open = `Open ${baseUrl}${isFirstStart ? ' and create your account' : ''}`;
  const setup = 'Or try the API first. Run in another terminal:  npm run operator -- setup';
  process.stderr.write(`
  Store   ${store === 'embedded' ? `embedded Postgres in ${dataDir}` : 'Postgres'}
  API     ${baseUrl}/docs  (OpenAPI: ${baseUrl}/openapi.json)
  Health  ${baseUrl}/readyz

  ${open}
${isFirstStart ? `\n  ${setup}\n` : ''}`);
}
