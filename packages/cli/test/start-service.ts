import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildCli } from '../build.mjs';
import { ServiceProcess } from './service-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string;
    commandPath: string;
  }
}

/** Starts one service and bundles the command once for all test files; every test creates its own accounts and programs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await buildCli();
  const service = new ServiceProcess();
  await service.open();
  project.provide('serviceUrl', service.url);
  project.provide('commandPath', fileURLToPath(new URL('svc.mjs', folder)));
  return () => service.close();
}
