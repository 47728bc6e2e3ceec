import { scryptSync } from 'node:crypto';
import { cleanUp, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { newPostgres, openDatabase } from '@svc/testkit/service/stores/store.ts';
import { afterAll, expect, it } from 'vitest';

afterAll(cleanUp);

const ORIGIN = 'http://127.0.0.1:1';

/** What the sign-in library is known to use: 16 MiB for each hash, and 16 random bytes of salt. */
const COST = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

// The service is a process of its own here: elsewhere in tests, most passwords are hashed at the lowest cost.
it('a password is stored as scrypt with a salt of its own, at the full cost', async () => {
  const url = await newPostgres();
  const service = await startService({ DATABASE_URL: url, SVC_SECRET: SECRET, SVC_BASE_URL: ORIGIN });
  const password = 'one long password of two people';
  for (const email of ['robin@brand.test', 'olive@brand.test']) {
    const { status } = await fetch(`${service.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Robin', email, password }),
    });
    expect(status).toBe(200);
  }
  const db = openDatabase(url);
  const rows = await db.query<{ password: string }>('select password from sign_ins where password is not null');
  await db.close();
  await service.end();
  const hashes = rows.map((row) => row.password.split(':'));
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes.map(([salt]) => salt)).size).toBe(2);
  for (const [salt = '', key] of hashes) {
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(scryptSync(password, salt, 64, COST).toString('hex')).toBe(key);
  }
});
