import { eventually } from '@svc/testkit/service/eventually.ts';
import { linkIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { platformError, TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { untilChangesAreKnown } from '@svc/testkit/service/stores/until-changes-are-known.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from './audit/audit-store.ts';
import { openFeedReaders } from './feed/feed-readers.ts';
import { readFeed } from './feed/read-feed.ts';
import { deleteLink } from './partners/links/change-link.ts';
import { insertLink, updateLink } from './partners/links/link-store.ts';
import { addKey } from './programs/add-key.ts';
import { changeProgramStatus } from './programs/change-program-status.ts';
import { regenerateKey } from './programs/regenerate-key.ts';
import { retireKey } from './programs/retire-key.ts';

const here = new TestService();
const there = new TestService();
let line: Severable;

beforeAll(async () => {
  const url = await newPostgres();
  line = await severable(url);
  await here.open({ DATABASE_URL: url });
  await there.open({ DATABASE_URL: line.url });
});
afterAll(async () => {
  await here.service?.close();
  await there.service?.close();
  await line?.close();
});

const follow = (link: string) => there.click({ affiliate_url: `https://acme.test/?aff=${link}` });

/** Polls the other node until it answers with the status, for a few seconds at most. */
const untilStatus = async (status: number, ask: () => ReturnType<typeof follow>) =>
  expect((await eventually(ask, (answer) => answer.status === status)).status).toBe(status);

describe('another node soon notices', () => {
  it('a link that is disabled, enabled again and deleted', async () => {
    const made = await here.program();
    const { link } = made;
    const linkId = await linkIdOf(here, made);
    expect((await follow(link)).status).toBe(200);
    const setActive = (active: boolean) => updateLink(here.ctx.db, made.program.id, linkId, null, { active });
    await setActive(false);
    await untilStatus(410, () => follow(link));
    await setActive(true);
    await untilStatus(200, () => follow(link));
    await deleteLink(here.ctx, { program: made.program, linkId, partnerId: null }, OPERATOR);
    await untilStatus(400, () => follow(link));
  });

  it('a program that is paused and resumed', async () => {
    const { program, link } = await here.program();
    const setStatus = (status: 'active' | 'paused') =>
      changeProgramStatus(here.ctx, program, status, { userId: null, requestId: null });
    expect((await follow(link)).status).toBe(200);
    await setStatus('paused');
    await untilStatus(410, () => follow(link));
    await setStatus('active');
    await untilStatus(200, () => follow(link));
  });

  it('a new link that it had not found before', async () => {
    const { program, partnerId, link } = await here.program();
    const shortLink = `${link}-new`;
    expect((await follow(shortLink)).status).toBe(400);
    await insertLink(
      here.ctx.db,
      { programId: program.id, partnerId, shortLink, destinationUrl: null },
      here.ctx.now(),
    );
    await untilStatus(200, () => follow(shortLink));
  });

  it('a partner who is blocked', async () => {
    const { program, link } = await here.program();
    expect((await follow(link)).status).toBe(200);
    await here.sql(`update memberships set status = 'blocked' where program_id = $1`, [program.id]);
    await untilStatus(410, () => follow(link));
  });

  it('a regenerated key: the old one stops working, the new one works', async () => {
    const { program, apiKey } = await here.program();
    expect((await there.readiness(apiKey)).status).toBe(200);
    const renewed = await regenerateKey(here.ctx, program, OPERATOR);
    await untilStatus(401, () => there.readiness(apiKey));
    expect((await there.readiness(renewed.apiKey)).status).toBe(200);
  });

  it('a retired key that it has cached, and a second one that its relay signs with', async () => {
    const { program, apiKey } = await here.program();
    expect((await there.readiness(apiKey)).status).toBe(200);
    const [first] = await there.ctx.lookup.liveKeys(program.id);
    const added = await addKey(here.ctx, program, 'live', OPERATOR);
    const known = await eventually(
      () => there.ctx.lookup.liveKeys(program.id),
      (keys) => keys.length === 2,
    );
    expect(known.map(({ hash }) => hash)).toEqual([added.key.hash, first?.hash]);
    await retireKey(here.ctx, program, first?.id ?? 0, OPERATOR);
    await untilStatus(401, () => there.readiness(apiKey));
    expect((await there.readiness(added.apiKey)).status).toBe(200);
  });

  it('a changed setting of a program', async () => {
    const { program, link } = await here.program({ cookieWindowDays: 60 });
    expect((await follow(link)).body.cookie_window_days).toBe(60);
    await here.sql('update programs set cookie_window_days = 7 where id = $1', [program.id]);
    const { body } = await eventually(
      () => follow(link),
      (answer) => answer.body.cookie_window_days === 7,
    );
    expect(body.cookie_window_days).toBe(7);
  });
});

describe('readers of the feed on another node', () => {
  /** Reads on the other node, and counts its statements. */
  async function countedReads() {
    const feedReaders = await openFeedReaders(there.ctx.db);
    const db = Object.create(there.ctx.db);
    const counted = { queries: 0 };
    db.query = (sql: string, params?: unknown[]) => {
      counted.queries += 1;
      return there.ctx.db.query(sql, params);
    };
    const read = (programId: number, waitSeconds: number, last = 0) => {
      const { signal } = new AbortController();
      const request = { after: undefined, last, types: undefined, limit: 100, waitSeconds, signal };
      return readFeed({ db, feedReaders }, programId, request);
    };
    return { counted, read, close: () => feedReaders.close() };
  }
  /** A program about which everything has been announced, as the other node has heard. */
  async function quietProgram() {
    const made = await here.program();
    await eventually(
      () => here.sql('select 1 from outbox'),
      (waiting) => waiting.length === 0,
    );
    await untilChangesAreKnown(there.ctx.db);
    return made;
  }

  /** The bounds of the feed twice, because the reader starts at its end, and the events after it. */
  const TO_BEGIN = 3;

  it('are woken by a sale of their program and by nothing else, and cost no statement until then', async () => {
    const [made, other] = [await quietProgram(), await quietProgram()];
    const { counted, read, close } = await countedReads();
    // A reader who is not woken waits longer than a test may take.
    const reading = read(made.program.id, 3_600);
    await eventually(
      () => counted.queries,
      (queries) => queries === TO_BEGIN,
    );
    const elsewhere = there.call('GET', '/api/v1/events?last=0&wait=30', { key: other.apiKey });
    await sold(here, other);
    expect((await elsewhere).body.data[0]).toMatchObject({ program_id: other.program.id });
    expect(counted.queries).toBe(TO_BEGIN);

    await sold(here, made);
    const { events } = await reading;
    expect(events[0]).toMatchObject({ type: 'lead.created', program_id: made.program.id });
    expect(counted.queries).toBe(TO_BEGIN + 1);
    close();
  });

  it('read once more when they have waited in vain, however long that was', async () => {
    const made = await quietProgram();
    const { counted, read, close } = await countedReads();
    expect(await read(made.program.id, 3)).toMatchObject({ events: [], hasMore: false });
    expect(counted.queries).toBe(TO_BEGIN + 1);
    close();
  });
});

describe('a node that is disconnected from the notifications', () => {
  it('refuses a regenerated key although its connection for them is open, and stays silent', async () => {
    const deaf = new TestService();
    const url = await newPostgres();
    const wire = await severable(url);
    const near = new TestService();
    try {
      await near.open({ DATABASE_URL: url });
      await deaf.open({ DATABASE_URL: url, SVC_LISTEN_DATABASE_URL: wire.url });
      const { program, apiKey } = await near.program();
      expect((await deaf.readiness(apiKey)).status).toBe(200);
      wire.hang();
      await eventually(
        () => deaf.ctx.db.isHearing(),
        (isHearing) => !isHearing,
      );
      await regenerateKey(near.ctx, program, OPERATOR);
      deaf.advance({ seconds: 1 });
      expect((await deaf.readiness(apiKey)).status).toBe(401);
    } finally {
      await near.service?.close();
      await deaf.service?.close();
      await wire.close();
    }
  });

  it('notices a disabled link and a regenerated key once it has reconnected', async () => {
    const made = await here.program();
    const { program, link, apiKey } = made;
    expect((await follow(link)).status).toBe(200);
    expect((await there.readiness(apiKey)).status).toBe(200);
    line.cut();
    await eventually(
      () =>
        here.sql(
          `select 1 from pg_stat_activity where datname = current_database() and application_name = 'svc listen'`,
        ),
      (rows) => rows.length === 1,
    );
    await updateLink(here.ctx.db, program.id, await linkIdOf(here, made), null, { active: false });
    await regenerateKey(here.ctx, program, OPERATOR);
    expect((await follow(link)).status).toBe(500);
    line.restore();
    await untilStatus(410, () => follow(link));
    await untilStatus(401, () => there.readiness(apiKey));
  });
});

describe('a full queue', () => {
  const bounded = new TestService();
  const busy = platformError(503, 'ServiceUnavailableError', 'The service is busy. Try again in a moment.');

  beforeAll(() => bounded.open({}, { maxWaiting: 1 }));
  afterAll(() => bounded.service?.close());

  it('refuses clicks with 503 and Retry-After, and loses none that it accepts', async () => {
    const { program, link } = await bounded.program();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => bounded.click({ affiliate_url: `https://acme.test/?aff=${link}` })),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 503);
    expect(accepted.length + refused.length).toBe(40);
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body).toEqual(busy);
      expect(headers).toMatchObject({
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
        'x-request-id': expect.any(String),
        'x-ratelimit-limit': expect.anything(),
        'access-control-allow-origin': '*',
      });
    }
    expect(new Set(accepted.map(({ body }) => body.click_id)).size).toBe(accepted.length);
    expect(await bounded.counts(program.id)).toMatchObject({ customers: accepted.length, clicks: accepted.length });
  });

  it('refuses sales in the same way, stores nothing of them, and accepts them later', async () => {
    const on = await bounded.program();
    await bounded.customer(on, 'user_1');
    const sell = (transaction_id: string) =>
      bounded.sale({ transaction_id, customer_key: 'user_1', amount_cents: 100 }, { key: on.apiKey });
    const ids = Array.from({ length: 40 }, (_, index) => `order_${on.program.id}_${index}`);
    const answers = await Promise.all(ids.map(sell));
    const refused = ids.filter((_, index) => answers[index]?.status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40 - refused.length);
    for (const { status, body, headers } of answers) {
      if (status !== 503) continue;
      expect(body).toEqual(busy);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(await bounded.counts(on.program.id)).toMatchObject({ sales: 40 - refused.length });
    for (const id of refused) expect((await sell(id)).status).toBe(200);
    expect(await bounded.counts(on.program.id)).toMatchObject({ sales: 40, commissions: 40 });
  });
});
