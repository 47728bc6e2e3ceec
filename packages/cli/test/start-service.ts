import type { TestProject } from 'vitest/node';
import { ServiceProcess } from './service-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string;
  }
}

/** One service for all test files; every test has its own accounts and programs on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = new ServiceProcess();
  await service.open();
  project.provide('serviceUrl', service.url);
  return () => service.close();
}
