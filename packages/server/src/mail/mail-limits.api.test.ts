import { manage, newAccount, newOwner, ownedProgram, PASSWORD, signUp } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

// Nothing listens there, so that everything that is queued stays in the queue, with its address.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const newVictim = () => `${newId('victim')}@people.test`;

const post = (path: string, key: string, body: object = {}) => service.call('POST', path, { key, body });

/** How many mails to the addresses are queued, by kind. */
async function queuedFor(...addresses: string[]): Promise<Record<string, number>> {
  const rows = await service.sql<{ kind: string; count: number }>(
    `select kind, count(*) as count from mails left join users u on u.id = user_id
     where lower(coalesce(address, u.email)) = any ($1::text[]) group by kind`,
    [addresses.map((address) => address.toLowerCase())],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

const inviteAs = async (key: string, email: string) =>
  (await post('/api/v1/manage/invitations', key, { email })).body.data;

const TWELVE = Array.from({ length: 12 }, (_each, index) => index);
const FIVE_OF_TWELVE = TWELVE.map((index) => index < 5);

describe('an address that nobody has proven', () => {
  it('gets five invitations to teams a day, whoever sends them; the links of the others are only shown', async () => {
    const victim = newVictim();
    const inviteByTwelve = async () => {
      const answers = [];
      for (const _each of TWELVE) answers.push(await inviteAs((await newOwner(service)).token, victim));
      return answers;
    };
    const answers = await inviteByTwelve();
    expect(answers.map(({ mailed }) => mailed)).toEqual(FIVE_OF_TWELVE);
    for (const { invite_url: url } of answers) expect(url).toMatch(/\/invite#svc_inv_/);
    expect(await queuedFor(victim)).toEqual({ team_invitation: 5 });
    service.advance({ days: 1 });
    await inviteByTwelve();
    expect(await queuedFor(victim)).toEqual({ team_invitation: 10 });
  });

  it('gets five even if an invitation is re-issued again and again', async () => {
    const [victim, owner] = [newVictim(), await newOwner(service)];
    const { id } = await inviteAs(owner.token, victim);
    const mailed = [];
    for (const _each of TWELVE) {
      service.advance({ seconds: 1 });
      const answer = await post(`/api/v1/manage/invitations/${id}/re-issue`, owner.token);
      mailed.push(answer.body.data.mailed);
    }
    expect(mailed).toEqual(TWELVE.map((index) => index < 4));
    expect(await queuedFor(victim)).toEqual({ team_invitation: 5 });
  });

  it('gets five invitations to programs, when it is added and when it is invited again', async () => {
    const victim = newVictim();
    for (const _each of TWELVE.slice(0, 4)) {
      const made = await ownedProgram(service);
      const added = await post(manage(made, '/partners'), made.owner.token, { name: 'Vic', email: victim });
      const again = manage(made, `/partners/${added.body.data.id}/invitation`);
      for (const _again of [1, 2]) expect((await post(again, made.owner.token)).status).toBe(201);
    }
    expect(await queuedFor(victim)).toEqual({ partner_invitation: 5 });
  });

  it('counts in whatever way it is written: mailboxes ignore case, dots and what follows a plus', async () => {
    const name = newId('v');
    const [first = '', ...rest] = name;
    const spellings = [
      `${name}@people.test`,
      `${name.toUpperCase()}@people.test`,
      `${name}+1@people.test`,
      `${name}+2+3@PEOPLE.test`,
      `${first}.${rest.join('')}@people.test`,
      `${first}.${rest.join('.')}+x@people.test`,
      `${name}+4@people.test`,
    ];
    for (const spelling of spellings) await inviteAs((await newOwner(service)).token, spelling);
    expect(await queuedFor(...spellings)).toEqual({ team_invitation: 5 });
    // Someone else of the same company is not concerned.
    const other = `other.${name}@people.test`;
    expect((await inviteAs((await newOwner(service)).token, other)).mailed).toBe(true);
  });

  it('is asked five times a day to confirm, however many accounts want it', async () => {
    const victim = newVictim();
    for (const _each of [1, 2]) {
      const account = await newAccount(service);
      for (const _change of TWELVE.slice(0, 4)) {
        await post('/api/v1/manage/me/email', account.token, { email: victim });
      }
    }
    expect((await queuedFor(victim)).verify_address).toBe(5);
  });

  it('gets no more of them when the account asks again, which is told so', async () => {
    const { cookie, email } = await signUp(service, newVictim());
    const headers = { cookie, origin: 'https://track.test' };
    const statuses = [];
    for (const _each of TWELVE.slice(0, 6)) {
      statuses.push((await service.call('POST', '/api/v1/manage/me/email/verification', { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await queuedFor(email)).verify_address).toBe(5);
  });

  it('is told five times a day about what a stranger does who signed up with it', async () => {
    const { email } = await signUp(service, newVictim());
    for (const index of TWELVE.slice(0, 8)) {
      const headers = { 'user-agent': index % 2 ? 'Firefox/1 Windows' : 'Chrome/1 Windows' };
      const ip = `203.0.${index}.7`;
      const body = { email, password: PASSWORD };
      expect((await service.call('POST', '/api/auth/sign-in/email', { body, ip, headers })).status).toBe(200);
    }
    expect((await queuedFor(email)).new_device).toBe(5);
  });
});

describe('an address that its owner has proven', () => {
  it('is told about every new device', async () => {
    const { email, userId } = await signUp(service);
    await service.sql('update users set email_verified = true where id = $1', [userId]);
    for (const index of TWELVE.slice(0, 8)) {
      const body = { email, password: PASSWORD };
      const answer = await service.call('POST', '/api/auth/sign-in/email', { body, ip: `203.1.${index}.7` });
      expect(answer.status).toBe(200);
    }
    expect((await queuedFor(email)).new_device).toBe(8);
  });

  it('gets more invitations, but not without end', async () => {
    const { email } = await newAccount(service);
    const mailed = [];
    for (let count = 0; count < 25; count += 1) {
      mailed.push((await inviteAs((await newOwner(service)).token, email)).mailed);
    }
    expect(mailed.filter(Boolean)).toHaveLength(20);
  });
});

describe('links for a new password', () => {
  const ask = async (email: string) => {
    const answer = await service.call('POST', '/api/auth/request-password-reset', {
      body: { email },
      ip: newAddress(),
    });
    expect(answer.body).toEqual({ status: true });
  };

  /** Asks for a link every five minutes, twice, for four hours. */
  async function askForHours(email: string) {
    const startedAt = service.time.getTime();
    for (let step = 0; step < 48; step += 1) {
      await ask(email);
      await ask(email);
      service.advance({ seconds: 300 });
    }
    const rows = await service.sql<{ minute: number }>(
      `select extract(epoch from created_at - $2::timestamptz)::int / 60 as minute from mails
       where kind = 'reset_password' and address = $1 order by 1`,
      [email, new Date(startedAt)],
    );
    return rows.map(({ minute }) => minute);
  }

  it('are three an hour, so that their owner always has one that works', async () => {
    const { email } = await newAccount(service);
    service.time = new Date('2026-03-20T08:00:00Z');
    const minutes = await askForHours(email);
    expect(minutes).toEqual([0, 5, 10, 60, 65, 70, 120, 125, 130, 180, 185, 190]);
  });

  it('are five a day for an address that nobody has proven, with an account or without', async () => {
    service.time = new Date('2026-03-22T08:00:00Z');
    const { email } = await signUp(service, newVictim());
    expect(await askForHours(email)).toEqual([0, 5, 10, 15, 20]);
    service.time = new Date('2026-03-24T08:00:00Z');
    expect(await askForHours(newVictim())).toEqual([0, 5, 10, 15, 20]);
  });
});

describe('other people', () => {
  it('are mailed only by accounts that have proven their own address; the links are shown', async () => {
    const victims = [newVictim(), newVictim(), newVictim(), newVictim()] as const;
    const { cookie, userId } = await signUp(service);
    const send = async (path: string, body: object) => {
      const headers = { cookie, origin: 'https://track.test' };
      return (await service.call('POST', `/api/v1/manage${path}`, { body, headers })).body.data;
    };
    const me = await service.call('GET', '/api/v1/manage/me', { headers: { cookie } });
    const { program } = await service.program({ workspaceId: me.body.data.advertiser_id });
    const invited = await send('/invitations', { email: victims[0] });
    expect(invited).toMatchObject({ mailed: false, invite_url: expect.stringContaining('/invite#') });
    expect(await send(`/invitations/${invited.id}/re-issue`, {})).toMatchObject({ mailed: false });
    const added = await send(`/programs/${program.id}/partners`, { name: 'Vic', email: victims[1] });
    expect(added).toMatchObject({ mailed: false, invite_url: expect.stringContaining('/invite#') });
    expect(await send(`/programs/${program.id}/partners/${added.id}/invitation`, {})).toMatchObject({ mailed: false });
    const partners = [{ name: 'Vic', email: victims[2] }];
    const [row] = await send(`/programs/${program.id}/bulk/partners/invite`, { partners });
    expect(row).toMatchObject({ outcome: 'invited', mailed: false, invite_url: expect.stringContaining('/invite#') });
    expect(await queuedFor(...victims)).toEqual({});

    await service.sql('update users set email_verified = true where id = $1', [userId]);
    expect(await send('/invitations', { email: victims[3] })).toMatchObject({ mailed: true });
    expect(await queuedFor(...victims)).toEqual({ team_invitation: 1 });
  });
});

describe('a workspace', () => {
  it('can invite 300 partners on its first day, and its team of ten, all by mail', async () => {
    const made = await ownedProgram(service);
    const partners = Array.from({ length: 300 }, () => ({ name: 'Joan', email: newVictim() }));
    const answer = await post(manage(made, '/bulk/partners/invite'), made.owner.token, { partners });
    expect(answer.body.data.filter(({ mailed }: { mailed: boolean }) => mailed)).toHaveLength(300);
    expect(await queuedFor(...partners.map(({ email }) => email))).toEqual({ partner_invitation: 300 });
    const team = Array.from({ length: 10 }, newVictim);
    for (const email of team) expect((await inviteAs(made.owner.token, email)).mailed).toBe(true);
  });
});
