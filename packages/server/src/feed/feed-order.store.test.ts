import type { FeedEvent } from '@svc/contract';
import { Chance } from '@svc/testkit';
import { TestService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announce } from '../outbox/announce.ts';
import { LINK_ROWS } from '../partners/links/link-list-store.ts';
import { insertLink } from '../partners/links/link-store.ts';

const WRITERS = 64;
const EACH = 12;

// Real Postgres is shared by two nodes; the embedded store has one.
const isShared = process.env.SVC_TEST_STORE === 'postgres';
const nodes = isShared ? [new TestService(), new TestService()] : [new TestService()];

beforeAll(async () => {
  const shared: Record<string, string> = isShared ? { DATABASE_URL: await newPostgres() } : {};
  for (const node of nodes) await node.open(shared);
});
afterAll(async () => {
  for (const node of nodes) await node.service?.close();
});

it('a follower sees what 64 writers commit: nothing is missing, repeated or out of order', async () => {
  const [first] = nodes as [TestService, ...TestService[]];
  const { program, partnerId, apiKey } = await first.program();
  // Counts the beginnings and ends of transactions, as the writers see them.
  let moment = 0;
  const committed = new Map<string, { began: number; ended: number }>();
  const undone: string[] = [];

  async function write(writer: number): Promise<void> {
    const chance = new Chance(writer);
    const { ctx } = nodes[writer % nodes.length]!;
    for (let turn = 0; turn < EACH; turn += 1) {
      const shortLink = newId('link');
      const isKept = chance.happens(0.8);
      const pause = chance.next() / 50;
      const began = ++moment;
      await ctx.db.transaction(async (tx) => {
        const link = { programId: program.id, partnerId, shortLink, destinationUrl: null };
        const id = await insertLink(tx, link, ctx.now());
        const created = { type: 'link.created', programId: program.id, id: id as number } as const;
        announce(ctx, tx, [{ rows: LINK_ROWS, events: [created] }]);
        if (isShared) await tx.query('select pg_sleep($1)', [pause]);
        if (!isKept) tx.rollBack();
      });
      if (isKept) committed.set(shortLink, { began, ended: ++moment });
      else undone.push(shortLink);
    }
  }

  const linkOf = ({ data }: FeedEvent) => (data.link as { short_link: string }).short_link;
  const followed: FeedEvent[] = [];
  let areWritten = false;
  async function follow(): Promise<void> {
    let after = 0;
    for (
      let call = 0;
      !areWritten || followed.filter(({ type }) => type === 'link.created').length < committed.size;
      call += 1
    ) {
      const node = nodes[call % nodes.length]!;
      const { status, body } = await node.call('GET', `/api/v1/events?after=${after}&limit=50&wait=1`, { key: apiKey });
      expect(status).toBe(200);
      followed.push(...body.data);
      after = body.meta.next_cursor;
    }
  }

  const written = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).then(() => {
    areWritten = true;
  });
  await Promise.all([written, follow()]);

  expect(followed.map(({ sequence }) => sequence)).toEqual(followed.map((_, index) => index + 1));
  const links = followed.filter(({ type }) => type === 'link.created');
  expect(links.map(linkOf).sort()).toEqual([...committed.keys()].sort());
  expect(undone.length).toBeGreaterThan(WRITERS);
  // What had been committed before another transaction began comes before it.
  let latestBeginning = 0;
  for (const event of links) {
    const { began, ended } = committed.get(linkOf(event))!;
    expect(ended).toBeGreaterThan(latestBeginning);
    latestBeginning = Math.max(latestBeginning, began);
  }
});
