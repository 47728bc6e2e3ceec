import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
let home = '';
let cwd = '';

const svc = (...args: string[]) => command.run(args, { home, cwd });
const LISTS = ['partners', 'links', 'coupons', 'customers', 'sales', 'commissions', 'payouts', 'opening-balances'];
const PARTNERS = 130;

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  await signedIn(command, service, home);
  await svc('init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS);
  const rows = Array.from({ length: PARTNERS }, (_, index) => `=Partner ${index},p${index}@export.test`);
  await writeFile(join(cwd, 'p.csv'), `Name,Email\n${rows.join('\n')}\n`);
  await writeFile(join(cwd, 'mapping.yaml'), 'partners: { file: p.csv, email: Email, name: Name }\n');
  const imported = await svc('import', 'csv', '--mapping', 'mapping.yaml', '--apply', '--yes', '--json');
  expect(imported.code).toBe(0);
});

const rowsIn = async (folder: string, name: string) =>
  JSON.parse(await readFile(join(cwd, folder, `${name}.json`), 'utf8'));

describe('svc export all', () => {
  it('writes every list as CSV and as JSON, with a manifest that counts them', async () => {
    const { code, json } = await svc('export', 'all', '--to', 'out', '--json');
    expect(code).toBe(0);
    const files = LISTS.flatMap((name) => [`${name}.csv`, `${name}.json`]);
    expect((await readdir(join(cwd, 'out'))).sort()).toEqual([...files, 'manifest.json'].sort());
    expect(json).toEqual(JSON.parse(await readFile(join(cwd, 'out/manifest.json'), 'utf8')));
    expect(json.completed_at).toEqual(expect.any(String));
    for (const name of LISTS) {
      const rows = await rowsIn('out', name);
      expect([name, json.lists[name].rows, json.lists[name].complete]).toEqual([name, rows.length, true]);
      const text = await readFile(join(cwd, 'out', `${name}.csv`), 'utf8');
      expect(parse(text, { bom: true, columns: true })).toHaveLength(rows.length);
      expect((await stat(join(cwd, 'out', `${name}.csv`))).mode & 0o777).toBe(0o600);
    }
    const partners = await rowsIn('out', 'partners');
    const exported = partners.map(({ email, status }: Record<string, string>) => `${email} ${status}`);
    expect(exported.sort()).toEqual(
      Array.from({ length: PARTNERS }, (_, index) => `p${index}@export.test active`).sort(),
    );
    // A name that a spreadsheet would run stays text.
    expect(await readFile(join(cwd, 'out/partners.csv'), 'utf8')).toContain(`'=Partner 0,p0@export.test,active`);
  });

  it('goes on where it stopped, and what was written after the manifest is written once', async () => {
    const whole = await rowsIn('out', 'partners');
    const { json: first } = await svc('export', 'all', '--to', 'cut', '--json');
    // As a kill leaves it: the manifest of the first page, and half a row more.
    const progress = first.lists.partners;
    const page = JSON.stringify(whole[99]);
    const text = await readFile(join(cwd, 'cut/partners.json'), 'utf8');
    const bytes = Buffer.byteLength(text.slice(0, text.indexOf(page) + page.length));
    const csv = await readFile(join(cwd, 'cut/partners.csv'), 'utf8');
    const csvBytes = Buffer.byteLength(csv.split('\r\n').slice(0, 101).join('\r\n')) + 2;
    await truncate(join(cwd, 'cut/partners.json'), bytes + 10);
    const answered = await fetch(`${service.url}/api/v1/manage/programs/${first.program_id}/partners?limit=100`, {
      headers: { authorization: `Bearer ${await token()}` },
    });
    const { meta } = (await answered.json()) as { meta: { next_cursor: string } };
    const lists = {
      partners: {
        ...progress,
        rows: 100,
        query: 0,
        cursor: meta.next_cursor,
        csv_bytes: csvBytes,
        json_bytes: bytes,
        complete: false,
      },
    };
    await writeFile(join(cwd, 'cut/manifest.json'), JSON.stringify({ ...first, completed_at: null, lists }));
    const { code, json, stderr } = await svc('export', 'all', '--to', 'cut', '--json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Going on with the export of')]);
    expect(json.lists).toEqual(first.lists);
    expect(await readFile(join(cwd, 'cut/partners.json'), 'utf8')).toBe(text);
    expect(await readFile(join(cwd, 'cut/partners.csv'), 'utf8')).toBe(csv);
  });

  it('refuses a folder that has something in it, unless it is told to', async () => {
    await mkdir(join(cwd, 'full'));
    await writeFile(join(cwd, 'full/mine.txt'), 'mine');
    const { code, stderr } = await svc('export', 'all', '--to', 'full');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('is not empty.\nName another folder, or pass --force.'),
    ]);
    expect((await svc('export', 'all', '--to', 'out')).code).toBe(1);
    const forced = await svc('export', 'all', '--to', 'full', '--force');
    expect([forced.code, forced.stdout]).toEqual([0, expect.stringMatching(/partners\.csv, partners\.json +130/)]);
    expect(await readFile(join(cwd, 'full/mine.txt'), 'utf8')).toBe('mine');
  });
});

async function token(): Promise<string> {
  const { accounts } = JSON.parse(await readFile(join(home, '.svc/credentials.json'), 'utf8'));
  const [found] = Object.values(accounts as Record<string, { token: string }>);
  return found?.token ?? '';
}
