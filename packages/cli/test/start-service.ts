import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
// Imported by path, because global setups do not have the export conditions with which tests find sources.
import { addressThrough } from '../../testkit/src/index.ts';
import { ServiceProcess } from './service-process.ts';

const COMMAND = new URL('../dist/package/svc.mjs', import.meta.url);

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string;
    commandPath: string;
  }
}

/** Starts one service for all test files, after everything is built; every test creates its own accounts and programs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { serviceDatabase, poolerUrl } = project.getProvidedContext();
  // The long form tries the command with the embedded store, which takes longer to start and to answer.
  const isEmbedded = Boolean(project.config.env.SVC_TEST_LONG);
  const service = new ServiceProcess();
  const address = poolerUrl ? addressThrough(poolerUrl, serviceDatabase) : { DATABASE_URL: serviceDatabase };
  const onPostgres = { ...address, SVC_SECRET: 'a secret for tests, long enough to pass' };
  await service.open(isEmbedded ? {} : onPostgres);
  project.provide('serviceUrl', service.url);
  project.provide('commandPath', fileURLToPath(COMMAND));
  return () => service.close();
}
