import type { TestProject } from 'vitest/node';
import { ServiceProcess } from './service-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string;
  }
}

/** Starts one service for all test files; every test creates its own accounts and programs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = new ServiceProcess();
  await service.open();
  project.provide('serviceUrl', service.url);
  return () => service.close();
}
