import {
  AUDIT_ACTIONS,
  acceptsIdempotencyKey,
  type FeedEventType,
  type RouteDefinition,
  rightOf,
  routes,
} from '@svc/contract';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { ANNOUNCED_BY } from '@svc/testkit/service/routes/announced-by.ts';
import { type ChangingRoute, LEFT_BY, type Left } from '@svc/testkit/service/routes/audited-routes.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });
const requestOf = useSharedRequests(service);

const RECORDS = { click: 'clicks', decision: 'decisions', 'processor event': 'processor_events' } as const;

const changing = routes.filter(({ method }) => method !== 'GET');
const leftBy = ({ id }: RouteDefinition): Left => LEFT_BY[id as ChangingRoute];
const actionOf = (left: Left) => (left in AUDIT_ACTIONS ? left : null);

type Row = Record<string, unknown> & { action: string; before: object; after: object };

/** The ids of the newest rows, to tell new ones from those that preparing the request left. */
async function newest(): Promise<Record<string, number>> {
  const [row] = await service.sql<Record<string, number>>(
    `select (select coalesce(max(id), 0) from audit_events) as audit_events,
       ${Object.values(RECORDS)
         .map((table) => `(select coalesce(max(id), 0) from ${table}) as ${table}`)
         .join(', ')}`,
  );
  return row ?? {};
}

const rowsSince = (before: Record<string, number>) =>
  service.sql<Row>('select * from audit_events where id > $1 order by id', [before.audit_events]);

async function recordsSince(before: Record<string, number>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [record, table] of Object.entries(RECORDS)) {
    const [row] = await service.sql<{ count: number }>(`select count(*) as count from ${table} where id > $1`, [
      before[table],
    ]);
    counts[record] = row?.count ?? 0;
  }
  return counts;
}

/** How many events each program has announced, once none waits for its number. */
async function announced(): Promise<Record<string, number>> {
  await eventually(
    () => service.sql('select 1 from outbox'),
    (waiting) => waiting.length === 0,
  );
  const rows = await service.sql<{ id: number; last: number }>(
    'select program_id as id, last_sequence as last from feed_sequences',
  );
  return Object.fromEntries(rows.map(({ id, last }) => [id, last]));
}

/** The types that have been announced since, in any program. */
async function announcedSince(before: Record<string, number>): Promise<FeedEventType[]> {
  await announced();
  const rows = await service.sql<{ type: FeedEventType }>(
    `select type from feed_events where sequence > coalesce(($1::json->>program_id::text)::bigint, 0)
     order by program_id, sequence`,
    [JSON.stringify(before)],
  );
  return [...new Set(rows.map(({ type }) => type))];
}

/** Says in one sentence what to do about a route that leaves something else than its row in the table. */
function adviceFor(route: RouteDefinition, left: Left, rows: Row[]): string {
  const found = rows.length === 0 ? 'none' : rows.map(({ action }) => action).join(', ');
  const expected = actionOf(left) ? `exactly one row of the audit log, ${left}` : 'no row of the audit log';
  return (
    `A success of ${route.method} ${route.path} (${route.id}) must leave ${expected}; found: ${found}. Call insertAuditEvent of ` +
    'audit/audit-store.ts once, in the transaction of the change, with the `actor` of signedInUser, signedInMember or the access ' +
    'to the program. If the route leaves another action, change its row in test/audited-routes.ts. If its valid request changes ' +
    'nothing, change it in packages/testkit/service/routes/requests/.'
  );
}

it('the table names every route that can change something', () => {
  expect(Object.keys(LEFT_BY).sort()).toEqual(changing.map(({ id }) => id).sort());
});

/** The token of the request works no more, so it cannot be repeated. */
const ENDS_ITS_CREDENTIAL = ['manageLogout'];

/** These need a program of their own: the owner gets another name, which later rows would show; a test link is created
 * once; a payout method is told to every workspace that pays the account. */
const LEAVES_MORE = ['manageUpdateMe', 'manageTestLink', 'manageSetPayoutMethod', 'manageDeletePayoutMethod'];

describe.each(changing)('$method $path', (route) => {
  const left = leftBy(route);

  it(`leaves ${left} and what is announced, once, with the actor and the request, and nothing when it is refused or repeated`, async () => {
    const valid = await (LEAVES_MORE.includes(route.id) ? validRequest(service, route) : requestOf(route));
    const start = await newest();
    const told = await announced();
    // Some routes are open to anyone.
    if (rightOf(route) !== 'anyone') {
      const refused = await valid.send({ key: 'svc_at_nobody', headers: { 'stripe-signature': 't=1,v1=00' } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect([await rowsSince(start), await announcedSince(told)]).toEqual([[], []]);
    }
    const fresh = await newest();
    const send = () => valid.send({ headers: { 'x-request-id': 'the-request', 'idempotency-key': route.id } });
    const answer = await send();
    expect(answer.status).toBe(valid.status);
    const rows = await rowsSince(fresh);
    const action = actionOf(left);
    expect(
      rows.map((row) => row.action),
      adviceFor(route, left, rows),
    ).toEqual(action ? [action] : []);
    const events = ANNOUNCED_BY[route.id as ChangingRoute];
    expect(await announcedSince(told), `packages/testkit/service/routes/announced-by.ts: ${route.id}`).toEqual(
      events === 'none' ? [] : events,
    );
    if (left in RECORDS) expect((await recordsSince(fresh))[left]).toBe(1);
    if (acceptsIdempotencyKey(route) && !ENDS_ITS_CREDENTIAL.includes(route.id)) {
      const records = await recordsSince(fresh);
      const again = await send();
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
        valid.status,
        answer.text,
        'true',
      ]);
      expect([await rowsSince(fresh), await recordsSince(fresh)]).toEqual([rows, records]);
      expect(await announcedSince(told)).toEqual(events === 'none' ? [] : events);
    }
    if (action === null) return;
    expect(rows[0]).toMatchObject({ request_id: 'the-request', actor_name: 'Robin', ...actorOf(route) });
    // The owner accepts an invitation of another workspace.
    if (route.id !== 'manageAccept') expect(rows[0]?.advertiser_id).toBe(valid.workspaceId);
    const [, programId] = /\/programs\/(\d+)/.exec(valid.path) ?? [];
    if (programId) expect(rows[0]?.program_id).toBe(Number(programId));
  });

  /** The valid request is sent with the account token of the owner; terminals and links of mails are used by a person. */
  const actorOf = ({ id }: RouteDefinition) => ({
    actor_kind: ['cliAuthCallback', 'manageUnsubscribe'].includes(id) ? 'person' : 'token',
  });
});

it('no row holds a secret: no key, token, link of an invitation or signing secret in full', async () => {
  const rows = await service.sql<{ text: string }>('select e::text as text from audit_events e');
  expect(rows.length).toBeGreaterThan(changing.length);
  expect(rows.filter(({ text }) => /svc_(at|inv|join)_|whsec_|svc_key_[\w-]{12}/.test(text))).toEqual([]);
});
