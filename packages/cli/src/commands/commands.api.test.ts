import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import { answer, Gateway } from '../../test/gateway.ts';
import { type Person, stateOf, theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
let gateway: Gateway;
let person: Person;
let home = '';
let cwd = '';
let apiKey = '';

beforeAll(async () => {
  home = await newHome(command);
  cwd = await command.folder();
  person = await signedIn(command, service, home);
  await command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS], { home, cwd });
  apiKey = /^SVC_API_KEY=(.*)$/m.exec(await readFile(join(cwd, '.svc/.env'), 'utf8'))?.[1] ?? '';
  gateway = new Gateway(service.url);
  await gateway.open();
});
afterAll(() => gateway?.close());

const svc = (...args: string[]) => command.run(args, { home, cwd });
const accounts = async () => JSON.parse(await readFile(join(home, '.svc/credentials.json'), 'utf8')).accounts;

describe('the command line', () => {
  it.each([
    [[], 'No command given.'],
    [['fly'], "unknown command 'fly'"],
    [['status', '--loud'], "unknown option '--loud'"],
    [['test', 'refund'], /argument value 'refund' is invalid.*click, lead, sale, chain/],
    [['test'], "missing required argument 'event'"],
    [['explain'], 'Pass --transaction, --customer or --click.'],
    [['partners', 'add', '--name', 'Bob'], "required option '--email <email>' not specified"],
    [['links', 'add', '--partner', 'bob'], 'Pass --partner <id>, or --test for the test link.'],
    [['tokens', 'create', '--name', 'CI', '--scope', 'admin'], /argument 'admin' is invalid.*read, write, track/],
    [['keys', 'retire', 'x'], '"x" is not the id of a key.'],
    [['origins'], 'No command given.'],
    [['export'], 'No command given.'],
    [['export', 'all'], "required option '--to <folder>' not specified"],
    [
      ['import', 'tapfiliate'],
      /argument value 'tapfiliate' is invalid.*rewardful, firstpromoter, firstpromoter-v1, tolt/,
    ],
    [['import', 'dub', '--apply', '--undo'], 'Pass only one of --dry-run, --apply, --verify and --undo.'],
    [['import', 'dub', '--pay-approved'], '--pay-approved and --set-link-parameters need --apply.'],
    [['import', 'csv'], 'Pass --mapping <file>, which says what the columns mean.'],
    [
      ['import', 'dub', '--tool-url', 'http://dub.example'],
      '--tool-url must be an https address, not "http://dub.example".',
    ],
    [
      ['import', 'dub'],
      'Missing input in non-interactive mode: Enter a key of Settings, API keys of your workspace at Dub',
    ],
    [['origins', 'list', '--program', 'x'], '"x" is not a program id.'],
    [['status', '--api-url', 'ftp://x'], 'The service URL must start with http:// or https://, not "ftp://x".'],
  ])('%j exits with 2 and a message', async (args, message) => {
    const words = await svc(...args);
    expect([words.code, words.stdout]).toEqual([2, '']);
    expect(words.stderr).toMatch(message);
    const { code, json } = await svc(...args, '--json');
    expect(code).toBe(2);
    expect(json.error.message).toMatch(message);
  });

  it('--help lists every command', async () => {
    const { code, stdout, stderr } = await svc('--help');
    expect([code, stderr]).toEqual([0, '']);
    const names = [
      'login',
      'logout',
      'whoami',
      'init',
      'programs',
      'origins',
      'partners',
      'links',
      'keys',
      'tokens',
      'import',
      'export',
    ];
    for (const name of [...names, 'status', 'test', 'explain', 'doctor']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
  });
});

describe('a program key goes only to the service it was made for', () => {
  it('not from the environment to the URL of whatever folder one stands in', async () => {
    const elsewhere = await command.folder();
    await mkdir(join(elsewhere, '.svc'));
    await writeFile(join(elsewhere, '.svc/.env'), `SVC_API_URL=${gateway.url}\n`);
    const before = gateway.keys.length;
    for (const words of [['status'], ['test', 'click'], ['doctor']]) {
      const env = { SVC_API_KEY: apiKey };
      const { code, stdout } = await command.run([...words, '--json'], { home, cwd: elsewhere, env });
      expect(code).toBe(1);
      expect(stdout).toContain('SVC_API_KEY comes from the environment, but SVC_API_URL from .svc/.env');
      expect(stdout).toContain('Set SVC_API_URL in the environment too');
    }
    expect(gateway.keys.slice(before).join()).not.toContain(apiKey);
    const named = { SVC_API_KEY: apiKey, SVC_API_URL: service.url };
    expect((await command.run(['status'], { home, cwd: elsewhere, env: named })).code).toBe(0);
  });

  it('not from a project’s folder to a URL of the environment', async () => {
    const { code, stderr } = await command.run(['status'], { home, cwd, env: { SVC_API_URL: gateway.url } });
    expect(code).toBe(1);
    expect(stderr).toContain('SVC_API_KEY comes from .svc/.env, but SVC_API_URL from the environment');
    expect(stderr).toContain('Unset SVC_API_URL');
    expect((await command.run(['status'], { home, cwd, env: { SVC_API_URL: `${service.url}/` } })).code).toBe(0);
  });
});

describe('without --json', () => {
  it('whoami, programs, status, test and explain print text', async () => {
    expect((await svc('whoami')).stdout).toMatch(
      new RegExp(`^Ann <${person.email}>, owner of workspace \\d+, at ${service.url}\n$`),
    );
    expect((await svc('programs')).stdout).toMatch(/^\d+ {2}Acme {2}acme\.test {2}20% per sale {2}0 partners\n/);
    expect((await svc('status')).stdout).toMatch(/^Program\s+\d+ {2}Acme {2}\(acme\.test\)\nReadiness\s+\w+\n/);
    for (const event of ['click', 'lead', 'sale']) {
      const { code, stdout } = await svc('test', event);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Test ${event} event received.`)]);
    }
    const lead = { customer_key: 'user_1' };
    await service.post('/api/v1/track/lead', lead, { authorization: `Bearer ${apiKey}` });
    expect((await svc('explain', '--customer', 'user_1')).stdout).toMatch(/^\S+Z {2}lead recorded \(\w+\)\n {2}\S.*\n/);
    expect((await svc('explain', '--transaction', 'nobody')).stdout).toContain(
      'The program has received nothing with this id.',
    );
  });
});

describe('svc tokens', () => {
  it('creates a token that machines use instead of a sign-in, lists it and revokes it', async () => {
    const created = await svc('tokens', 'create', '--name', 'CI', '--scope', 'read', '--days', '7', '--json');
    const { id, token } = created.json as { id: number; token: string };
    expect([created.code, token]).toEqual([0, expect.stringMatching(/^svc_pat_/)]);
    expect((await svc('tokens', 'list')).stdout).toMatch(new RegExp(`^${id} {2}CI {2,}read `, 'm'));
    const machine = { home: await newHome(command), cwd, env: { SVC_ACCOUNT_TOKEN: token, SVC_API_URL: service.url } };
    expect((await command.run(['partners', 'list'], machine)).code).toBe(0);
    const refused = await command.run(['partners', 'add', '--name', 'Bob', '--email', 'bob@b.test', '--json'], machine);
    expect([refused.code, refused.json.error.message]).toEqual([1, expect.stringContaining('the scope write')]);
    const elsewhere = await command.run(['partners', 'list'], { ...machine, env: { SVC_ACCOUNT_TOKEN: token } });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('the token was not sent')]);
    expect((await svc('tokens', 'revoke', String(id))).stdout).toBe(`Token ${id} no longer works.\n`);
    expect((await command.run(['partners', 'list'], machine)).code).toBe(1);
  });
});

describe('svc keys', () => {
  it('creates a second key, which works beside the first, and retires one', async () => {
    const created = await svc('keys', 'create', '--json');
    expect(created.code).toBe(0);
    const { id, api_key: second } = created.json as { id: number; api_key: string };
    const working = async (key: string) => (await svc('status', '--json', '--api-key', key)).code === 0;
    expect([await working(apiKey), await working(second)]).toEqual([true, true]);
    const listed = (await svc('keys', 'list')).stdout;
    expect(listed).toMatch(new RegExp(`^${id} {2}live {2}svc_key_\\S{4}\\*{4}\\S{4} `, 'm'));
    expect(listed).not.toContain(second);
    expect((await svc('keys', 'retire', String(id))).stdout).toBe(`Key ${id} no longer works.\n`);
    expect([await working(apiKey), await working(second)]).toEqual([true, false]);
    expect((await svc('keys', 'create', '--test')).stdout).toMatch(/^svc_key_test_[\w-]{32}\n/);
  });
});

describe('the program key', () => {
  it('comes from the flag, else SVC_API_KEY, else .svc/.env', async () => {
    const run = async (args: string[], env: Record<string, string>) =>
      (await command.run(['status', '--json', '--api-url', service.url, ...args], { home, cwd, env })).code;
    const wrong = 'svc_key_wrong';
    expect(await run([], {})).toBe(0);
    expect(await run([], { SVC_API_KEY: wrong })).toBe(1);
    expect(await run(['--api-key', apiKey], { SVC_API_KEY: wrong })).toBe(0);
    expect(await run(['--api-key', wrong], { SVC_API_KEY: apiKey })).toBe(1);
  });

  it('gets the service’s message and no stack trace if it is unknown', async () => {
    const { code, json, stderr } = await svc('status', '--json', '--api-key', 'svc_key_wrong');
    expect(code).toBe(1);
    expect(json.error).toMatchObject({ status: 401, message: expect.stringMatching(/^Invalid API key\. /) });
    expect(stderr).toBe(`${json.error.message}\n`);
  });

  it('causes a warning on stderr if it must be rotated, while stdout contains only JSON', async () => {
    const { json: program } = await svc('status', '--json');
    const { token } = (await accounts())[service.url];
    const marked = await service.post(
      `/api/v1/manage/programs/${program.program_id}/api-key/require-rotation`,
      { rotate_by: '2099-01-01T00:00:00Z' },
      { authorization: `Bearer ${token}` },
    );
    expect(marked.status).toBe(200);
    const { code, json, stderr } = await svc('status', '--json', '--quiet');
    expect([code, json.name]).toEqual([0, 'Acme']);
    expect(stderr).toMatch(/^Warning: .*Deadline: 2099-01-01T00:00:00/);

    await service.post('/api/v1/track/lead', { customer_key: 'user_2' }, { authorization: `Bearer ${apiKey}` });
    const doctor = await svc('doctor', '--json');
    const key = doctor.json.checks.find(({ name }: { name: string }) => name === 'key');
    expect(key).toMatchObject({ status: 'warn', rotate_by: '2099-01-01T00:00:00.000Z' });
    expect(doctor.json).toMatchObject({ ok: false, next_action: expect.stringContaining('regenerate the key') });
    expect(doctor.code).toBe(1);
    const words = await svc('doctor');
    // The server has sent a lead. No page has reported a click.
    expect(words.stdout).toMatch(
      /^wait {2}site\s+no page of acme\.test has reported a click yet; last event of the server/m,
    );
    expect(words.stdout).toMatch(/^warn {2}key\s.*: stops working at 2099-01-01T00:00:00\.000Z$/m);
    expect(words.stdout).not.toContain('Nothing left to do');
  });
});

describe('with an account', () => {
  it('login works in two steps, for callers that cannot wait for a command', async () => {
    const other = await newHome(command);
    const flags = ['--json', '--no-interactive', '--api-url', service.url];
    const start = await command.run(['login', '--start', ...flags], { home: other });
    expect(start.json).toMatchObject({ state: expect.any(String), user_code: expect.any(String) });
    await service.approve(person, stateOf(start.json.auth_url));
    const finish = await command.run(['login', '--state', start.json.state, ...flags], { home: other });
    expect([finish.code, finish.json.email]).toEqual([0, person.email]);
    const twice = await command.run(['login', '--state', start.json.state, ...flags], { home: other });
    expect(twice.json.error).toMatchObject({ status: 400, message: 'Session already consumed' });
    const unknown = await command.run(['login', '--state', 'made-up', ...flags], { home: other });
    expect(unknown.json.error).toMatchObject({ status: 404, message: 'Session not found' });
  });

  it('a login that is not completed exits with 1 and a message', async () => {
    gateway.faults.push(answer(200, '{"data":{"status":"expired"}}'));
    const { code, json } = await svc('login', '--state', 'x', '--json', '--api-url', gateway.url);
    expect(code).toBe(1);
    expect(json.error).toMatchObject({
      code: 'login_expired',
      message: 'The login was not completed within five minutes.',
    });
  });

  it('programs, whoami and explain hint at `svc login` when not signed in; logout does nothing', async () => {
    const stranger = await newHome(command);
    for (const args of [['programs'], ['whoami'], ['explain', '--click', 'cust_1_1']]) {
      const { code, json } = await command.run([...args, '--json'], { home: stranger, cwd });
      expect([code, json.error.hint]).toEqual([1, 'Run `svc login`.']);
    }
    const { code, json } = await command.run(['logout', '--json'], { home: stranger, cwd });
    expect([code, json.signed_out]).toEqual([0, false]);
  });

  it('a token that the service no longer accepts causes its message and a hint', async () => {
    const other = await newHome(command);
    await signedIn(command, service, other);
    const path = join(other, '.svc/credentials.json');
    const stored = JSON.parse(await readFile(path, 'utf8'));
    stored.accounts[service.url].token = 'svc_at_of_another_time';
    await writeFile(path, JSON.stringify(stored));
    const { code, json } = await command.run(['programs', '--json'], { home: other, cwd });
    expect(code).toBe(1);
    expect(json.error).toMatchObject({
      status: 401,
      message: 'Invalid or expired token — run `login` again',
      hint: 'Run `svc login`.',
    });
    expect((await command.run(['logout', '--json'], { home: other, cwd })).json.signed_out).toBe(true);
  });

  it('a broken credentials file causes a message and no stack trace', async () => {
    const other = await newHome(command);
    await signedIn(command, service, other);
    await writeFile(join(other, '.svc/credentials.json'), '{');
    const { code, stderr } = await command.run(['whoami'], { home: other, cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/credentials\.json is not valid JSON\.\nDelete it and run `svc login`\.\n$/);
  });
});

describe('partners and links', () => {
  it('are added from the terminal, the link records clicks, and doctor says that pages report them', async () => {
    const email = `partner-${Date.now()}@example.com`;
    const partner = await svc('partners', 'add', '--name', 'Bob', '--email', email, '--json');
    expect(partner.json).toMatchObject({ name: 'Bob', email, invite_url: expect.stringContaining('/invite') });
    const link = await svc('links', 'add', '--partner', String(partner.json.id), '--to', '/pricing', '--json');
    expect(link.json).toMatchObject({ partner_name: 'Bob', active: true });
    const click = { affiliate_url: link.json.url };
    const recorded = await service.post('/api/v1/track/click', click, { Origin: 'https://acme.test' });
    expect(recorded.status).toBe(200);
    const { json: report } = await svc('doctor', '--json');
    expect(report.checks).toContainEqual({
      name: 'site',
      status: 'pass',
      message: expect.stringMatching(
        /^pages report clicks; the tracker sets the click cookie; last event received at \d/,
      ),
    });
    expect((await svc('partners', 'list')).stdout).toMatch(new RegExp(`^\\d+ {2}Bob +${email} +active$`, 'm'));
    expect((await svc('links', 'list')).stdout).toContain(`${link.json.url}  Bob  active`);
  });

  it('are all listed with --all, and the list says when it is not complete', async () => {
    const id = /^SVC_PROGRAM_ID=(.*)$/m.exec(await readFile(join(cwd, '.svc/.env'), 'utf8'))?.[1];
    const [{ token } = { token: '' }] = Object.values(await accounts()) as { token: string }[];
    const email = `owner-of-many-${Date.now()}@example.com`;
    const partner = await svc('partners', 'add', '--name', 'Many', '--email', email, '--json');
    for (let count = 0; count < 101; count += 1) {
      const link = { partner_id: partner.json.id, short_link: `many-${partner.json.id}-${count}` };
      await service.post(`/api/v1/manage/programs/${id}/links`, link, { authorization: `Bearer ${token}` });
    }
    const newest = await svc('links', 'list', '--json');
    expect([newest.json.length, newest.stderr]).toEqual([
      100,
      'These are the newest 100. Pass --all for all of them.\n',
    ]);
    const all = await svc('links', 'list', '--all', '--json');
    const names = all.json.map(({ short_link: name }: { short_link: string }) => name);
    expect(names.filter((name: string) => name.startsWith(`many-${partner.json.id}-`))).toHaveLength(101);
    expect(new Set(names).size).toBe(names.length);
    expect(all.stderr).toBe('');
  });

  it('include the test link, which is the same every time', async () => {
    const first = await svc('links', 'add', '--test');
    expect(first.stdout).toMatch(/^https:\/\/acme\.test\/\?aff=svc-test-\d+\n$/);
    expect((await svc('links', 'add', '--test')).stdout).toBe(first.stdout);
  });

  it('are refused with the service’s message', async () => {
    const { code, json } = await svc('partners', 'add', '--name', 'Bob', '--email', 'nobody', '--json');
    expect([code, json.error.message]).toEqual([1, 'email must be an email address']);
  });
});

describe('svc batch', () => {
  const events = (name: string) =>
    [
      { type: 'lead', customer_key: name },
      { type: 'sale', transaction_id: `order ${name}`, customer_key: name, amount_cents: 4900 },
      { type: 'visit' },
    ].map((event) => JSON.stringify(event));

  it('reports the events of a file, says which were refused, and does nothing twice', async () => {
    await writeFile(join(cwd, 'events.jsonl'), `${events('batched').join('\n')}\n\n`);
    const first = await svc('batch', 'events.jsonl');
    expect([first.code, first.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^Event 2: 400 No affiliate .*\nEvent 3: 400 .*\n1 recorded, 0 recorded before, 2 refused\.\n$/,
      ),
    ]);
    const again = await svc('batch', 'events.jsonl', '--json');
    expect(again.json).toMatchObject([
      { index: 0, status: 200, body: { success: true } },
      { index: 1, status: 400 },
      { index: 2, status: 400 },
    ]);
  });

  it.each([
    ['[{"type":"lead","customer_key":"of a list"}]', 0, '1 recorded, 0 recorded before, 0 refused.'],
    ['{"items":[{"type":"lead","customer_key":"of items"}]}', 0, '1 recorded, 0 recorded before, 0 refused.'],
    ['{"type":"lead"}\nno JSON', 2, 'Line 2 of given.json is not a JSON object.'],
    ['', 2, 'There are no events in given.json.'],
  ])('reads %j', async (contents, code, says) => {
    await writeFile(join(cwd, 'given.json'), contents);
    const { code: ended, stdout, stderr } = await svc('batch', 'given.json');
    expect([ended, stdout + stderr]).toEqual([code, expect.stringContaining(says)]);
    expect((await svc('batch', 'missing.json')).stderr).toContain('The file cannot be read');
  });
});

describe('a server error', () => {
  it('is printed once, with its request id', async () => {
    const error = {
      status: 500,
      name: 'InternalServerError',
      message: 'Failed to run synthetic chain (request_id: r-1)',
      details: { request_id: 'r-1' },
    };
    gateway.faults.push(answer(500, JSON.stringify({ data: null, error })));
    const { code, json, stderr } = await svc('test', 'chain', '--json', '--api-url', gateway.url);
    expect(code).toBe(1);
    expect(json.error).toEqual({ status: 500, message: error.message, request_id: 'r-1' });
    expect(stderr).toBe(`${error.message}\n`);
  });
});

describe('svc doctor', () => {
  const check = (json: { checks: { name: string }[] }, name: string) => json.checks.find((row) => row.name === name);

  it('names an origin that is not allowed, and how to allow it', async () => {
    const { code, json } = await svc('doctor', '--json', '--origin', 'http://localhost:3000');
    expect(code).toBe(1);
    expect(check(json, 'origin')).toEqual({
      name: 'origin',
      status: 'fail',
      message: 'http://localhost:3000: Origin not allowed for this program',
      next_action: 'Run `svc origins add http://localhost:3000`, or add it in the dashboard, under Settings.',
    });
    expect(json.next_action).toContain('http://localhost:3000');
    await svc('origins', 'add', 'http://localhost:3000', 'http://localhost:5173');
    const listed = await svc('origins', 'list', '--json');
    expect(listed.json.allowed_origins).toEqual(['http://localhost:3000', 'http://localhost:5173']);
    const allowed = await svc('doctor', '--json', '--origin', 'http://localhost:3000');
    expect(check(allowed.json, 'origin')).toMatchObject({ status: 'pass' });
  });

  it('does not affect readiness, because its probe is neither a test chain nor a click of the site', async () => {
    const before = (await svc('doctor', '--json')).json.readiness;
    const { json } = await svc('doctor', '--json');
    expect(check(json, 'origin')).toMatchObject({ status: 'pass' });
    expect(json.readiness.gates.live.test_chain).toEqual({ click: 'pending', lead: 'pending', sale: 'pending' });
    expect(json).toMatchObject({ ok: false, readiness: { integration_verified: false } });
    expect(json.readiness.gates).toEqual(before.gates);
  });

  it('reports a key file that others can read, a wrong key, and a URL that is not the service', async () => {
    await chmod(join(cwd, '.svc/.env'), 0o644);
    const { json } = await svc('doctor', '--json', '--api-key', 'svc_key_wrong');
    await chmod(join(cwd, '.svc/.env'), 0o600);
    expect(check(json, 'files')).toMatchObject({ status: 'warn', next_action: 'Run `chmod 600 .svc/.env`.' });
    expect(check(json, 'key')).toMatchObject({ status: 'fail' });
    gateway.faults.push(answer(404, 'nothing', 'text/plain'));
    const elsewhere = await svc('doctor', '--api-url', gateway.url);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stdout).toMatch(/^FAIL {2}service .*not like this service\nNext: Check the URL/);
  });
});
