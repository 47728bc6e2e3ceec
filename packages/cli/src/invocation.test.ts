import { describe, expect, it } from 'vitest';
import { asInvoked, invocationOf } from './invocation.ts';

const URL = 'https://track.example';

describe('the command line in hints', () => {
  it.each([
    ['/home/ann/.npm/_npx/3b1f/node_modules/.bin/svc', { npm_command: 'exec' }, `npx --yes ${URL}/packages/cli.tgz`],
    [
      'C:\\Users\\ann\\npm-cache\\_npx\\3b1f\\node_modules\\@svc\\cli\\svc.mjs',
      {},
      `npx --yes ${URL}/packages/cli.tgz`,
    ],
    ['/home/ann/.cache/pnpm/dlx/3b1f/node_modules/.bin/svc', {}, `pnpm dlx ${URL}/packages/cli.tgz`],
    [
      '/tmp/xfs-3b1f/dlx-812/node_modules/@svc/cli/svc.mjs',
      { npm_config_user_agent: 'yarn/4.18.1 npm/? node/v20.20.2 linux arm64' },
      `yarn dlx @svc/cli@${URL}/packages/cli.tgz`,
    ],
    ['/shop/node_modules/.bin/svc', { npm_command: 'exec' }, 'npx svc'],
    ['/usr/local/bin/svc', {}, 'svc'],
  ])('is the one that started %s', (script, env, invocation) => {
    expect(invocationOf(script, env, URL)).toBe(invocation);
  });

  it('replaces commands in backticks and nothing else', () => {
    const text = 'Run `svc login`, then `svc doctor`. The file svc.js and `svc_key_1` stay.';
    expect(asInvoked(text, 'npx svc')).toBe(
      'Run `npx svc login`, then `npx svc doctor`. The file svc.js and `svc_key_1` stay.',
    );
  });
});
