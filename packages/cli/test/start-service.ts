import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
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
  const { serviceDatabase: url } = project.getProvidedContext();
  // The long form tries the command with the embedded store, which takes longer to start and to answer.
  const isEmbedded = Boolean(project.config.env.SVC_TEST_LONG);
  const service = new ServiceProcess();
  await service.open(isEmbedded ? {} : { DATABASE_URL: url, SVC_SECRET: 'a secret for tests, long enough to pass' });
  project.provide('serviceUrl', service.url);
  project.provide('commandPath', fileURLToPath(COMMAND));
  return () => service.close();
}
