import { manage, type OwnedProgram, ownedProgram, signUp } from '@svc/testkit/service/accounts.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres, openDatabase } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/db.ts';
import { updatePartnerUser } from '../../partners/partner-account-store.ts';

const service = new TestService();

/** While set, the next read of a link waits for the test after it has its answer from the database. */
let held: { isRead: () => void; mayGoOn: Promise<void> } | null = null;

/** A node that hears nothing of changes: on a busy one, notifications come late. */
function deaf(db: Db): Db {
  return {
    ...db,
    listen: (channel, _onMessage, onGap) => db.listen(channel, () => undefined, onGap),
    async query<Row>(sql: string, params?: unknown[]) {
      const rows = await db.query<Row>(sql, params);
      if (held && /from links\b/.test(sql)) {
        const { isRead, mayGoOn } = held;
        held = null;
        isRead();
        await mayGoOn;
      }
      return rows;
    },
  };
}

beforeAll(async () => {
  const db = openDatabase(await newPostgres());
  await service.open({}, { db: deaf(db) });
});
afterAll(() => service.service?.close());

const click = async (link: string) => (await service.click({ affiliate_url: `https://acme.test/?aff=${link}` })).status;

/** A program, and how its owner changes it. */
async function shop() {
  const made = await ownedProgram(service);
  const [row] = await service.sql<{ id: number }>('select id from links where short_link = $1', [made.link]);
  const change = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, manage(made, path), { body, key: made.owner.token });
    expect(answer.status).toBeLessThan(300);
    return answer.body.data;
  };
  return { ...made, change, linkPath: `/links/${row?.id}`, partnerPath: `/partners/${made.partnerId}` };
}

describe('on the node that made a change, before it is notified of it', () => {
  it('a link is off and on again with the answers to those changes', async () => {
    const { change, link, linkPath } = await shop();
    expect(await click(link)).toBe(200);
    await change('PATCH', linkPath, { active: false });
    expect(await click(link)).toBe(410);
    await change('PATCH', linkPath, { active: true });
    expect(await click(link)).toBe(200);
    await change('DELETE', linkPath);
    expect(await click(link)).toBe(400);
  });

  it('a partner is blocked and reinstated with the answers to those changes', async () => {
    const { change, link, partnerPath } = await shop();
    expect(await click(link)).toBe(200);
    await change('PATCH', partnerPath, { status: 'blocked' });
    expect(await click(link)).toBe(410);
    await change('PATCH', partnerPath, { status: 'active' });
    expect(await click(link)).toBe(200);
  });

  it('a new link works, even if it was tried before it existed', async () => {
    const { change, partnerId } = await shop();
    expect(await click('summer-sale')).toBe(400);
    await change('POST', '/links', { partner_id: partnerId, short_link: 'summer-sale' });
    expect(await click('summer-sale')).toBe(200);
  });

  it('a regenerated key works, and the old one no longer does', async () => {
    const { change, apiKey } = await shop();
    expect((await service.readiness(apiKey)).status).toBe(200);
    const { api_key: newKey } = await change('POST', '/api-key/regenerate');
    expect((await service.readiness(newKey)).status).toBe(200);
    expect((await service.readiness(apiKey)).status).toBe(401);
  });

  it('settings and the status of the program are the new ones', async () => {
    const { change, link } = await shop();
    expect(await click(link)).toBe(200);
    await change('PATCH', '', { cookie_window_days: 7 });
    const { body } = await service.click({ affiliate_url: `https://acme.test/?aff=${link}` });
    expect(body.cookie_window_days).toBe(7);
    await change('PUT', '/status', { status: 'paused' });
    expect(await click(link)).toBe(410);
  });

  it('a new program is found, even if its id was asked for before', async () => {
    const { owner, program } = await shop();
    const nextId = program.id + 1;
    const read = () => service.call('GET', `/api/v1/manage/programs/${nextId}`, { key: owner.token });
    expect((await read()).status).toBe(404);
    const body = { name: 'Next', domain: 'next.test' };
    const created = await service.call('POST', '/api/v1/manage/programs', { body, key: owner.token });
    expect([created.status, created.body.data.id]).toEqual([201, nextId]);
    expect((await read()).status).toBe(200);
    await initAfter(nextId, owner.token);
  });

  async function initAfter(programId: number, token: string) {
    const read = () => service.call('GET', `/api/v1/manage/programs/${programId + 1}`, { key: token });
    expect((await read()).status).toBe(404);
    const body = { name: 'Third', domain: 'third.test', commission_type: 'percent', commission_rate: 10 };
    const created = await service.call('POST', '/api/v1/cli/init', { body, key: token });
    expect([created.status, created.body.data.program_id]).toEqual([200, programId + 1]);
    expect((await read()).status).toBe(200);
  }

  it('a partner who deletes their account takes their links along', async () => {
    service.time = new Date();
    const { link, partnerId }: OwnedProgram = await shop();
    const { cookie, userId } = await signUp(service);
    await updatePartnerUser(service.ctx.db, partnerId, userId, service.ctx.now());
    expect(await click(link)).toBe(200);
    const headers = { cookie, origin: 'https://track.test' };
    const body = { password: 'a long enough password' };
    expect((await service.call('POST', '/api/auth/delete-user', { body, headers })).status).toBe(200);
    expect(await click(link)).toBe(410);
  });
});

describe('a read that began before a change and ends after it', () => {
  it('does not bring the old state back', async () => {
    const { change, link, linkPath } = await shop();
    let goOn = () => {};
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const read = new Promise<void>((isRead) => {
      held = { isRead, mayGoOn };
    });
    const early = click(link);
    await read;
    await change('PATCH', linkPath, { active: false });
    goOn();
    // The early click came before the change. What it read is used for nothing else.
    expect(await early).toBe(200);
    expect(await click(link)).toBe(410);
  });
});
