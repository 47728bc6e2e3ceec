import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../testkit/src/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One real Postgres for all test files; each makes its own database on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ fsync: 'off', max_connections: '300' });
  project.provide('postgresUrl', server.url());
  return () => server.remove();
}
