import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import type { FakeTool } from '../../test/fake-tools/fake-tool.ts';
import * as firstpromoter from '../../test/fake-tools/firstpromoter.ts';
import * as rewardful from '../../test/fake-tools/rewardful.ts';
import { answer, cutOff, Gateway, tooMany } from '../../test/gateway.ts';
import { importProject, unique } from '../../test/import-project.ts';
import { theService } from '../../test/service.ts';
import { signedIn } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

const newProject = (fake: FakeTool, env: Record<string, string>, apiUrl = service.url) =>
  importProject({ command, home, apiUrl }, fake, env);

function rewardfulData() {
  const own = unique();
  const jamie = `jamie-${own}`;
  const data: rewardful.RewardfulData = {
    affiliates: [
      rewardful.affiliate(jamie, `jamie-${own}@example.com`, { coupon: { id: 'x', token: `SAVE-${own}` } }),
      rewardful.affiliate(`moneypenny-${own}`, `mp-${own}@example.com`),
      rewardful.affiliate(`off-${own}`, `off-${own}@example.com`, { state: 'disabled' }),
    ],
    referrals: [rewardful.referral(`r1${own}`, jamie), rewardful.referral(`r2${own}`, null)],
    commissions: [
      rewardful.commission('c1', jamie, 3000, 'due'),
      rewardful.commission('c2', jamie, 250, 'pending'),
      rewardful.commission('c3', jamie, 90_000, 'paid'),
      rewardful.commission('c4', jamie, 500, 'voided'),
    ],
  };
  return { own, jamie, data };
}
const REWARDFUL = { REWARDFUL_API_SECRET: rewardful.REWARDFUL_SECRET };

describe('svc import rewardful', () => {
  it('shows what would happen, imports it, changes nothing the second time, verifies it and takes it back', async () => {
    const { own, jamie, data } = rewardfulData();
    const { svc, run } = await newProject(rewardful.fakeRewardful(data), REWARDFUL);
    const before = await run('rewardful');
    expect([before.code, before.stderr]).toEqual([0, expect.not.stringContaining(rewardful.REWARDFUL_SECRET)]);
    expect(before.json).toMatchObject({
      dry_run: true,
      partners: 2,
      links: 2,
      coupons: 1,
      customers: 1,
      totals: [{ currency: 'USD', pending_cents: 250, approved_cents: 3000, paid_cents: 90_000 }],
      twice: [],
      clashes: [],
      missing_parameters: ['via'],
      outcomes: {
        partners: { created: 2, merged: 0, unchanged: 0, refused: 0 },
        links: { created: 2 },
        coupons: { created: 1 },
      },
      refused: [],
      aliases: [],
    });
    expect(
      before.json.left_out.map(({ reason, examples }: { reason: string; examples: string[] }) => [reason, examples]),
    ).toEqual([
      ['the affiliate is disabled', [`off-${own}@example.com`]],
      ['it is voided, which is not money', ['c4']],
      ['the customer has no partner', [`cus_r2${own}`]],
    ]);
    expect((await svc('partners', 'list', '--json')).json).toEqual([]);

    const applied = await run('rewardful', '--apply', '--set-link-parameters');
    expect([applied.code, applied.json.import_id]).toEqual([0, expect.any(Number)]);
    expect(applied.json.outcomes).toMatchObject({
      partners: { created: 2 },
      customers: { created: 1 },
      balances: { created: 1 },
    });
    const partners = (await svc('partners', 'list', '--json')).json;
    expect(partners.map(({ email }: { email: string }) => email).sort()).toEqual([
      `jamie-${own}@example.com`,
      `mp-${own}@example.com`,
    ]);
    const links = (await svc('links', 'list', '--json')).json;
    expect(links.map(({ short_link: code }: { short_link: string }) => code).sort()).toEqual([
      jamie,
      `moneypenny-${own}`,
    ]);

    const again = await run('rewardful', '--apply', '--fresh');
    expect(again.json.outcomes).toMatchObject({
      partners: { created: 0, merged: 0, unchanged: 2, refused: 0 },
      links: { created: 0, merged: 0, unchanged: 2, refused: 0 },
      balances: { created: 0, merged: 0, unchanged: 1, refused: 0 },
    });
    expect(again.json.missing_parameters).toEqual([]);

    const verified = await run('rewardful', '--verify');
    expect([verified.code, verified.json.wrong]).toEqual([0, 0]);
    expect(
      verified.json.addresses.map(({ kind, address, credits }: Record<string, string>) => [kind, address, credits]),
    ).toEqual([
      ['link', `https://www.acme.test/?via=${jamie}`, `jamie-${own}@example.com`],
      ['link', `https://www.acme.test/?via=moneypenny-${own}`, `mp-${own}@example.com`],
      ['coupon', `SAVE-${own}`, `jamie-${own}@example.com`],
    ]);

    const undone = await run('rewardful', '--undo');
    expect([undone.code, undone.json]).toMatchObject([
      0,
      { status: 'undone', removed: { partners: 2, links: 2 }, kept: [] },
    ]);
    expect((await svc('partners', 'list', '--json')).json).toEqual([]);
    const nothing = await run('rewardful', '--undo');
    expect([nothing.code, nothing.json.error.message]).toEqual([
      1,
      'This program has no import from rewardful to undo.',
    ]);
    const gone = await run('rewardful', '--verify');
    expect([gone.code, gone.json.wrong]).toEqual([1, 3]);
  });

  it('says in words what it would do, and what a key that is refused is called', async () => {
    const { data } = rewardfulData();
    const { svc, cwd } = await newProject(rewardful.fakeRewardful(data), REWARDFUL);
    const url = (await svc('import', 'rewardful', '--tool-url', 'https://127.0.0.1:1')).stderr;
    expect(url).toContain('Rewardful gave no answer');
    const { code, stderr } = await command.run(['import', 'rewardful', '--no-interactive'], { home, cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Set REWARDFUL_API_SECRET.')]);
  });

  it('keeps what it read where only the user can read it, and goes on there after a refused key', async () => {
    const { data } = rewardfulData();
    const fake = rewardful.fakeRewardful(data);
    const { cwd, run } = await newProject(fake, REWARDFUL);
    await run('rewardful');
    const file = join(cwd, '.svc/import/rewardful.jsonl');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(cwd, '.svc/import/.gitignore'), 'utf8')).toBe('*\n');
    expect(await readFile(file, 'utf8')).not.toContain(rewardful.REWARDFUL_SECRET);
    const asked = fake.asked.length;
    const { stderr } = await run('rewardful', '--apply');
    expect(stderr).toContain('Using what was read from Rewardful');
    expect(fake.asked.length).toBe(asked);
    // The end of the file as a kill leaves it.
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n').slice(0, -1);
    await writeFile(file, `${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 20)}`);
    const resumed = await run('rewardful', '--apply');
    expect(resumed.stderr).toContain('Going on with what was read from Rewardful');
    expect(resumed.json.outcomes.partners).toEqual({ created: 0, merged: 0, unchanged: 2, refused: 0 });
    expect(fake.asked.slice(asked).map((path) => path.split('?')[0])).toEqual(['/referrals', '/commissions']);
    const wrong = { ...REWARDFUL, REWARDFUL_API_SECRET: 'other' };
    const refused = await command.run(['import', 'rewardful', '--tool-url', fake.url], { home, cwd, env: wrong });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Rewardful refused the key in REWARDFUL_API_SECRET (401).'),
    ]);
  });
});

it('svc import --verify waits while the service is busy, says so, and does not call wrong what it could not find out', async () => {
  const gateway = new Gateway(service.url);
  await gateway.open();
  onTestFinished(() => gateway.close());
  await signedIn(command, service, home, gateway.url);
  const { jamie, data } = rewardfulData();
  const { run } = await newProject(rewardful.fakeRewardful(data), REWARDFUL, gateway.url);
  expect((await run('rewardful', '--apply', '--set-link-parameters')).code).toBe(0);

  const first = `HEAD /r/${jamie}`;
  const faults = [cutOff, tooMany(1), tooMany(1)];
  gateway.faultOf = (request) => (request === first ? faults.shift() : undefined);
  gateway.seen.length = 0;
  const verified = await run('rewardful', '--verify');
  expect([verified.code, verified.json.verified, verified.json.wrong]).toEqual([0, 3, 0]);
  expect(gateway.seen.filter((request) => request === first)).toHaveLength(4);
  expect(verified.stderr.split('\n').filter((line) => line.endsWith('Retrying in 1 s.'))).toEqual([
    expect.stringContaining('No response from'),
    'Too many requests. Retrying in 1 s.',
    'Too many requests. Retrying in 1 s.',
  ]);
  expect(verified.stderr).toContain('Opened 2 of 2 links');

  // Longer than the command waits.
  gateway.faultOf = (request) => (request === first ? tooMany(3_600) : undefined);
  const silent = await run('rewardful', '--verify');
  expect([silent.code, silent.json.verified, silent.json.wrong]).toEqual([1, 2, 1]);
  expect(silent.json.addresses[0]).toMatchObject({
    code: jamie,
    credits: expect.stringContaining('@example.com'),
    problem: 'the service did not say where its redirect leads (429)',
  });
});

it('svc import firstpromoter refuses a sale that does not agree, and imports with one that does', async () => {
  const own = unique();
  const john = firstpromoter.promoter(1, `john-${own}@example.com`, {
    default_ref_id: `john-${own}`,
    promoter_campaigns: [],
  });
  const commission = firstpromoter.commission(1, 1, 980);
  const fake = firstpromoter.fakeFirstPromoter({
    promoters: [john],
    links: {},
    promoCodes: [],
    referrals: [],
    commissions: [commission],
  });
  const { run } = await newProject(fake, firstpromoter.FIRSTPROMOTER_ENV);
  const unknown = await run('firstpromoter');
  expect([unknown.code, unknown.json.error]).toMatchObject([1, { code: 'unknown_unit' }]);
  const wrong = await run('firstpromoter', '--apply', '--known-sale', 'ch_1=12.00');
  expect([wrong.code, wrong.json.error]).toMatchObject([1, { code: 'unit_disagrees' }]);
  const right = await run('firstpromoter', '--apply', '--known-sale', 'ch_1=49.00', '--pay-approved');
  expect(right.code).toBe(0);
  expect(right.json.totals).toEqual([{ currency: 'USD', pending_cents: 0, approved_cents: 980, paid_cents: 0 }]);
  expect(right.json.missing_parameters).toEqual(['fpr']);
  const verified = await run('firstpromoter', '--verify', '--known-sale', 'ch_1=49.00');
  expect([verified.code, verified.json.addresses[0].problem]).toEqual([
    1,
    'the program does not read ?fpr=: add it to its link_parameters',
  ]);
});

it('svc import csv reads files beside the mapping, and names the rows it cannot read', async () => {
  const own = unique();
  const { cwd, run, svc } = await newProject(rewardful.fakeRewardful(rewardfulData().data), {});
  await mkdir(join(cwd, 'old'));
  await writeFile(
    join(cwd, 'old/mapping.yaml'),
    'source: oldtool\npartners: { file: p.csv, email: Email }\nlinks: { file: p.csv, partner: Email, code: Code, parameter: =ref }\n',
  );
  await writeFile(join(cwd, 'old/p.csv'), `Email,Code\nann-${own}@x.test,ann-${own}\n,nobody\n`);
  const { code, json } = await run('csv', '--mapping', 'old/mapping.yaml', '--apply');
  expect([code, json.source, json.partners, json.left_out]).toEqual([
    0,
    'oldtool',
    1,
    [{ kind: 'row', reason: 'Email is empty', count: 1, examples: ['p.csv:3'] }],
  ]);
  expect((await svc('links', 'list', '--json')).json).toMatchObject([{ short_link: `ann-${own}` }]);
  expect((await run('csv', '--mapping', 'old/mapping.yaml', '--undo')).code).toBe(0);
});

it('svc import --verify knows that every program reads ?aff=', async () => {
  const own = unique();
  const { cwd, run } = await newProject(rewardful.fakeRewardful(rewardfulData().data), {});
  await writeFile(
    join(cwd, 'mapping.yaml'),
    'partners: { file: p.csv, email: Email }\nlinks: { file: p.csv, partner: Email, code: Code, parameter: =aff }\n',
  );
  await writeFile(join(cwd, 'p.csv'), `Email,Code\nann-${own}@x.test,ann-${own}\n`);
  const applied = await run('csv', '--mapping', 'mapping.yaml', '--apply');
  expect([applied.code, applied.json.missing_parameters]).toEqual([0, []]);
  const { code, json } = await run('csv', '--mapping', 'mapping.yaml', '--verify');
  expect({ code, addresses: json.addresses }).toEqual({
    code: 0,
    addresses: [
      {
        kind: 'link',
        address: `?aff=ann-${own}`,
        code: `ann-${own}`,
        expected: `ann-${own}@x.test`,
        credits: `ann-${own}@x.test`,
        problem: null,
      },
    ],
  });
});

describe('svc import --verify', () => {
  /** A project whose command talks through a gateway, with an import from files. */
  async function csvProject(rows: string[]) {
    const gateway = new Gateway(service.url);
    await gateway.open();
    onTestFinished(() => gateway.close());
    await signedIn(command, service, home, gateway.url);
    const { cwd, programId, svc } = await newProject(rewardful.fakeRewardful({} as never), {}, gateway.url);
    await writeFile(
      join(cwd, 'mapping.yaml'),
      'partners: { file: p.csv, email: Email }\nlinks: { file: p.csv, partner: Email, code: Code, parameter: =aff, address: Address }\n',
    );
    await writeFile(join(cwd, 'p.csv'), ['Email,Code,Address', ...rows, ''].join('\n'));
    const run = (flag: string) => svc('import', 'csv', '--json', '--yes', '--mapping', 'mapping.yaml', flag);
    return { gateway, programId, svc, run };
  }

  it('opens a code that another program has by this code, in its own program', async () => {
    const own = unique();
    const rows = [`ann-${own}@x.test,ann-${own},https://acme.test/?aff=ann-${own}`];
    expect((await (await csvProject(rows)).run('--apply')).code).toBe(0);
    const { gateway, programId, run } = await csvProject(rows);
    const applied = await run('--apply');
    expect([applied.code, applied.json.aliases]).toEqual([0, [`ann-${own}`]]);

    gateway.seen.length = 0;
    const verified = await run('--verify');
    expect([verified.code, verified.json.addresses[0].credits]).toEqual([0, `ann-${own}@x.test`]);
    expect(gateway.seen.filter((request) => request.startsWith('HEAD'))).toEqual([`HEAD /r/ann-${own}~${programId}`]);
  });

  it('calls an address right only on the site, on an allowed origin and on an active link host', async () => {
    const own = unique();
    const places = {
      'https://acme.test/?aff=CODE': null,
      'http://shop.acme.test/?aff=CODE': null,
      'www.acme.test?aff=CODE': null,
      'http://localhost:3000/?aff=CODE': null,
      'https://go.brand.test/CODE': null,
      'https://dub.test/CODE': 'dub.test',
      'https://notacme.test/?aff=CODE': 'notacme.test',
      'https://acme.test.evil.test/?aff=CODE': 'acme.test.evil.test',
      'http://localhost:4000/?aff=CODE': 'localhost:4000',
      'https://later.brand.test/CODE': 'later.brand.test',
    };
    const codes = Object.keys(places).map((_, index) => `p${index}-${own}`);
    const rows = Object.keys(places).map((place, index) => {
      const code = codes[index] as string;
      return `${code}@x.test,${code},${place.replace('CODE', code)}`;
    });
    const { gateway, programId, svc, run } = await csvProject(rows);
    expect((await svc('origins', 'add', 'http://localhost:3000')).code).toBe(0);
    expect((await run('--apply')).code).toBe(0);
    const host = (id: number, name: string, status: string) => {
      const record = { type: 'TXT', name: `_svc.${name}`, value: 'svc-verify=x' };
      return { id, host: name, status, record };
    };
    // A host becomes active by a record in the public DNS.
    const data = [host(1, 'go.brand.test', 'active'), host(2, 'later.brand.test', 'pending')];
    gateway.faultOf = (request) =>
      request === `GET /api/v1/manage/programs/${programId}/domains`
        ? answer(200, JSON.stringify({ data }))
        : undefined;

    const { code, json } = await run('--verify');
    expect([code, json.wrong]).toEqual([1, 5]);
    expect(json.addresses.map(({ problem, credits }: Record<string, string>) => [problem, credits])).toEqual(
      Object.values(places).map((foreign, index) =>
        foreign === null
          ? [null, `${codes[index]}@x.test`]
          : [`it leads through ${foreign}, which is not a host of this program`, null],
      ),
    );
  });
});
