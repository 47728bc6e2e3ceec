import { describe, expect, it } from 'vitest';
import { findKey } from './program-key.ts';

const isSame = (one: string, other: string) => one === other;
const [A, B] = ['https://a.test', 'https://b.test'];
const env = (key?: string, url?: string) => ({ SVC_API_KEY: key, SVC_API_URL: url });

describe('a program key', () => {
  it.each([
    ['is taken from the environment together with its URL', {}, env('k1', A), env('k2', B), 'k1', 'SVC_API_KEY', false],
    ['of the environment does not go where the folder says', {}, env('k1'), env('k2', B), 'k1', 'SVC_API_KEY', true],
    [
      'of the environment does not go where a folder without a key says',
      {},
      env('k1'),
      env('', B),
      'k1',
      'SVC_API_KEY',
      true,
    ],
    ['of the environment goes to the usual service', {}, env('k1'), env(), 'k1', 'SVC_API_KEY', false],
    ['of the folder goes where the folder says', {}, env(), env('k2', B), 'k2', '.svc/.env', false],
    ['of the folder does not go where the environment says', {}, env('', A), env('k2', B), 'k2', '.svc/.env', true],
    ['of a folder without a URL does not go there either', {}, env('', A), env('k2'), 'k2', '.svc/.env', true],
    ['of the folder goes to the same service named twice', {}, env('', B), env('k2', B), 'k2', '.svc/.env', false],
    ['that is the same in both is the folder’s', {}, env('k2'), env('k2', B), 'k2', '.svc/.env', false],
    ['on the command line is meant', { apiKey: 'k3' }, env('k1'), env('k2', B), 'k3', '--api-key', false],
    ['goes where the command line says', { apiUrl: B }, env('k1'), env('k2', A), 'k1', 'SVC_API_KEY', false],
  ] as const)('%s', (_what, flags, environment, project, key, from, isForOtherService) => {
    expect(findKey(flags, environment, project, isSame)).toEqual({ key, from, isForOtherService });
  });

  it('may be absent', () => {
    expect(findKey({}, env(), env('', B), isSame)).toBeUndefined();
  });
});
