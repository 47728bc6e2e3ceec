import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists } from './project/env-file.ts';
import type { Session } from './session.ts';

/** Frameworks that the relay of `@svc/node` has a handler for, by the package that a project depends on. */
const FRAMEWORKS: Record<string, string> = {
  next: 'Next.js',
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  wrangler: 'Cloudflare Workers',
};

/**
 * Decides whether the site's own server passes on what the tracker reports, and under which path: null for none. The flag
 * decides, then what the project has; a project with a framework that can is asked.
 */
export async function chooseRelay(
  { prompts, flags, cwd, project }: Session,
  wanted: boolean | undefined,
): Promise<string | null> {
  const known = project.SVC_RELAY_PATH || null;
  if (wanted === false) return null;
  if (wanted || known) return known ?? newPath();
  const framework = prompts.interactive && !flags.yes ? await findFramework(cwd) : undefined;
  if (framework === undefined) return null;
  const picked = await prompts.choose('--relay', `Should your ${framework} server set the click cookie?`, [
    { value: 'relay', label: 'Yes, through a relay', hint: 'Safari keeps the cookie for the whole window' },
    {
      value: 'script',
      label: 'No, the tracker sets it',
      hint: 'no code on the server; Safari keeps it for seven days',
    },
  ]);
  return picked === 'relay' ? newPath() : null;
}

/** Says nothing about what it is for, so that nothing is tempted to block it. */
const newPath = () => `/${randomBytes(4).toString('hex')}`;

async function findFramework(cwd: string): Promise<string | undefined> {
  const text = (await readIfExists(join(cwd, 'package.json'))) ?? '{}';
  const { dependencies, devDependencies } = parse(text);
  const name = Object.keys({ ...devDependencies, ...dependencies }).find((each) => Object.hasOwn(FRAMEWORKS, each));
  return name && FRAMEWORKS[name];
}

function parse(text: string): { dependencies?: object; devDependencies?: object } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
