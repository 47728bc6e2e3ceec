import type { EnvValues } from './project/env-file.ts';

/** A program key, where it was found, and whether the service URL comes from a different source that may not be trusted. */
export type ProgramKey = {
  key: string;
  from: '--api-key' | 'SVC_API_KEY' | '.svc/.env';
  isForOtherService: boolean;
};

/**
 * Finds the key. A key from the environment is never sent to a service that only the folder names, nor a key from the folder
 * to one that only the environment names, unless both name the same service. Values on the command line are intentional.
 */
export function findKey(
  flags: { apiKey?: string; apiUrl?: string },
  env: EnvValues,
  project: EnvValues,
  isSame: (one: string, other: string) => boolean,
): ProgramKey | undefined {
  if (flags.apiKey) return { key: flags.apiKey, from: '--api-key', isForOtherService: false };
  const isOther = (named: string | undefined, own: string | undefined) =>
    !flags.apiUrl && Boolean(named) && !(own && isSame(named as string, own));
  if (env.SVC_API_KEY && (env.SVC_API_URL || env.SVC_API_KEY !== project.SVC_API_KEY)) {
    const isForOtherService = isOther(env.SVC_API_URL ? undefined : project.SVC_API_URL, undefined);
    return { key: env.SVC_API_KEY, from: 'SVC_API_KEY', isForOtherService };
  }
  if (!project.SVC_API_KEY) return undefined;
  const isForOtherService = isOther(env.SVC_API_URL, project.SVC_API_URL);
  return { key: project.SVC_API_KEY, from: '.svc/.env', isForOtherService };
}
