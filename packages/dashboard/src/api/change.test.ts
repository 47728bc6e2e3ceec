import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '@svc/contract';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));

/** What may be sent with POST but without a key: it changes nothing, or it is for signing in. */
const WITHOUT_KEY = [
  // Reads whose question does not belong into a URL, and previews.
  'manageLookUpInvitation',
  'manageInvitePartners in features/partners/invite/invite-many-dialog.tsx',
  'manageReplayWebhook in features/settings/webhooks/replay-dialog.tsx',
  // A code that works once.
  'cliAuthCallback',
  '/oauth/approve',
];
/** Routes for signing in know no keys. */
const SIGNING_IN = /^\/api\/auth\//;

it('changes go through change(), which gives every POST a key', () => {
  const methods = new Map(routes.map(({ id, method }) => [id, method]));
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(`${SOURCES}${file}`, 'utf8');
      const called = [...text.matchAll(/\b(?:call|urlOf|useApiQuery|useApiQueries)(?:<[^>]*>)?\(\s*'(\w+)'/g)]
        .map(([, name = '']) => name)
        .filter((name) => methods.get(name) === 'POST');
      const sent = [...text.matchAll(/\bsend\(\s*'POST',\s*(?:['"`]([^'"`]*)['"`]|\w+)/g)].map(
        ([, path = 'an address that is computed']) => path,
      );
      const fetched = /\bfetch\(/.test(text) && /method:\s*'POST'/.test(text) ? ['fetch'] : [];
      return [...called, ...sent, ...fetched].map((what) => ({ what, file }));
    });
  const refused = found.filter(
    ({ what, file }) =>
      !SIGNING_IN.test(what) && !WITHOUT_KEY.includes(what) && !WITHOUT_KEY.includes(`${what} in ${file}`),
  );
  expect(refused).toEqual([]);
  const used = found.flatMap(({ what, file }) => [what, `${what} in ${file}`]);
  expect(WITHOUT_KEY.filter((exception) => !used.includes(exception))).toEqual([]);
});
