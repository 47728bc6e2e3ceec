import { manage, memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import { expect, it } from 'vitest';

const service = useService();

const start = (made: OwnedProgram, what: string, body: object) =>
  asOwner(service, made, 'POST', `/bulk-actions/${what}`, body);

/** Starts a bulk action, waits until nothing is left to do, and returns how it is listed then. */
async function finished(made: OwnedProgram, what: string, body: object) {
  const started = await start(made, what, body);
  expect(started.status).toBe(201);
  await service.ctx.bulkWorker.idle();
  const { data } = (await asOwner(service, made, 'GET', '/bulk-actions')).body;
  return data.find(({ id }: { id: number }) => id === started.body.data.id);
}

const stagesOf = (made: OwnedProgram) =>
  service.sql('select stage, count(*) from commissions where program_id = $1 group by 1 order by 1', [made.program.id]);

const auditOf = async (made: OwnedProgram) =>
  (
    await service.sql<{ said: string }>(
      `select action || coalesce(' ' || (after ->> 'count'), '') as said from audit_events
       where program_id = $1 and action ~ '^(commission|bulk_action|payout)[.]' order by id`,
      [made.program.id],
    )
  ).map(({ said }) => said);

it('a review goes through all commissions of the filter in slices, skips with reasons, and is in the audit log', async () => {
  const made = await ownedProgram(service);
  await soldByMany(service, made, 450, '2025-10');
  const [{ id }] = (await service.sql('select min(id) as id from commissions where program_id = $1', [
    made.program.id,
  ])) as [{ id: number }];
  await asOwner(service, made, 'POST', `/commissions/${id}/reject`);
  const action = await finished(made, 'review-commissions', { action: 'approve', filter: {}, count: 450 });
  expect(action).toEqual({
    id: expect.any(Number),
    kind: 'review_commissions',
    change: { action: 'approve' },
    status: 'done',
    stop_reason: null,
    total: 450,
    changed: 449,
    skipped: [{ reason: 'rejected', count: 1 }],
    started_by: expect.any(String),
    created_at: service.time.toISOString(),
    finished_at: service.time.toISOString(),
  });
  expect(await stagesOf(made)).toEqual([
    { stage: 'approved', count: 449 },
    { stage: 'rejected', count: 1 },
  ]);
  expect(await auditOf(made)).toEqual([
    'commission.rejected 1',
    'bulk_action.started',
    'commission.approved 200',
    'commission.approved 200',
    'commission.approved 49',
  ]);
});

it('stops between two slices, says how far it came, and changes nothing afterwards', async () => {
  const made = await ownedProgram(service);
  await soldByMany(service, made, 450, '2025-10');
  // One commission of the second slice is held, so the first slice is all that can be done until then.
  const [{ id }] = (await service.sql(
    'select id from commissions where program_id = $1 order by id desc offset 250 limit 1',
    [made.program.id],
  )) as [{ id: number }];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.query('select from commissions where id = $1 for update', [id]);
    await held;
  });
  const { body } = await start(made, 'review-commissions', { action: 'approve', filter: {}, count: 450 });
  await expect.poll(() => stagesOf(made)).toContainEqual({ stage: 'approved', count: 200 });
  const stopping = asOwner(service, made, 'POST', `/bulk-actions/${body.data.id}/stop`);
  await expect
    .poll(() =>
      service.sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%stopped%'`,
      ),
    )
    .toHaveLength(1);
  release();
  await holding;
  const stopped = await stopping;
  expect(stopped.body.data).toMatchObject({ status: 'stopped', stop_reason: 'requested', total: 450, changed: 400 });
  await service.ctx.bulkWorker.idle();
  expect(await stagesOf(made)).toEqual([
    { stage: 'approved', count: 400 },
    { stage: 'pending', count: 50 },
  ]);
  expect((await auditOf(made)).at(-1)).toBe('bulk_action.stopped');
  const again = await asOwner(service, made, 'POST', `/bulk-actions/${body.data.id}/stop`);
  expect(again.body.data).toEqual(stopped.body.data);
});

it('409, and nothing is started: another number of rows, other balances, or one of the kind is running', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const review = { action: 'approve', filter: {} };
  const changed = 'The filter matches 1 commissions now, not 2. Nothing was changed. Review the list and try again.';
  expect(await start(made, 'review-commissions', { ...review, count: 2 })).toMatchObject({
    status: 409,
    body: platformError(409, 'ConflictError', changed),
  });
  const balances = await start(made, 'create-payouts', {
    count: 1,
    totals: [{ currency: 'USD', payable_cents: 1_999 }],
  });
  expect(balances.body.error.message).toMatch(/^The balances have changed: 1 can be paid out now\./);
  await service.sql(
    `insert into bulk_actions (program_id, kind, change, total, actor, due_at, created_at)
     values ($1, 'review_commissions', '{}', 1, '{}', '9999-01-01', $2)`,
    [made.program.id, service.time],
  );
  expect(await start(made, 'review-commissions', { ...review, count: 1 })).toMatchObject({
    status: 409,
    body: platformError(
      409,
      'ConflictError',
      'Such a bulk action is already running. Wait until it is done, or stop it.',
    ),
  });
  expect(await service.sql('select count(*) from bulk_actions where program_id = $1', [made.program.id])).toEqual([
    { count: 1 },
  ]);
});

it('payouts are created for what was seen to the cent, and are marked as paid together', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const others = await Promise.all([service.partner(made.program), service.partner(made.program)]);
  for (const other of others) await approvedSale(service, { ...made, ...other });
  const seen = { count: 3, totals: [{ currency: 'USD', payable_cents: 6_000 }] };
  const paid = await finished(made, 'create-payouts', seen);
  expect(paid).toMatchObject({ status: 'done', total: 3, changed: 3, skipped: [] });
  const sums = 'select count(*), sum(amount_cents)::int as cents from payouts where program_id = $1 and status = $2';
  expect(await service.sql(sums, [made.program.id, 'open'])).toEqual([{ count: 3, cents: 6_000 }]);
  const open = { filter: { status: 'open' }, count: 3, totals: [{ currency: 'USD', amount_cents: 6_000 }] };
  const marked = await finished(made, 'mark-payouts-paid', { ...open, reference: 'SEPA 7' });
  expect(marked).toMatchObject({ status: 'done', changed: 3, change: { reference: 'SEPA 7' } });
  expect(await service.sql(sums, [made.program.id, 'paid'])).toEqual([{ count: 3, cents: 6_000 }]);
});

it('409, and nothing is marked as paid: as many payouts as were seen, but for other amounts', async () => {
  const made = await ownedProgram(service);
  const open = { filter: { status: 'open' }, count: 1, totals: [{ currency: 'USD', amount_cents: 2_000 }] };
  const pay = async (sale: object) => {
    await approvedSale(service, made, sale);
    return (await asOwner(service, made, 'POST', '/payouts', {})).body.data[0].id;
  };
  const seen = await pay({});
  // While the request waits for the payout that it saw, that one is cancelled, and a larger one takes its place.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.query('select from payouts where id = $1 for update', [seen]);
    await held;
    await tx.query(`update payouts set status = 'cancelled', cancelled_at = created_at where id = $1`, [seen]);
    await tx.query(
      `insert into payouts (program_id, partner_id, currency, amount_cents, status, created_at)
       select program_id, partner_id, currency, 5000, 'open', created_at from payouts where id = $1`,
      [seen],
    );
  });
  const starting = start(made, 'mark-payouts-paid', open);
  await expect
    .poll(() =>
      service.sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%payouts%'`,
      ),
    )
    .toHaveLength(1);
  release();
  await holding;
  const message =
    'The payouts of the filter add up to other amounts now. Nothing was changed. Review the list and try again.';
  expect(await starting).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
  expect(await service.sql('select from bulk_actions where program_id = $1', [made.program.id])).toEqual([]);
  const { filter, count } = open;
  expect((await start(made, 'mark-payouts-paid', { filter, count })).body.error.message).toBe(
    'totals is required with filter',
  );
});

it('stops when the person who started it loses the role for it, and says so', async () => {
  const made = await ownedProgram(service);
  const { commissionId } = await sold(service, made);
  const starter = await memberOf(service, made.workspaceId, 'finance');
  const actor = { requestId: null, kind: 'person', name: 'Fin' };
  const [{ id }] = (await service.sql(
    `insert into bulk_actions (program_id, kind, change, total, created_by, actor, due_at, created_at)
     values ($1, 'review_commissions', '{"action":"approve"}', 1, $2, $3, $4, $4) returning id`,
    [made.program.id, starter.userId, JSON.stringify(actor), service.time],
  )) as [{ id: number }];
  await service.sql('insert into bulk_action_slices values ($1, 1, $2)', [id, JSON.stringify([commissionId])]);
  const demoted = await service.call('PATCH', `/api/v1/manage/members/${starter.userId}`, {
    key: made.owner.token,
    body: { role: 'viewer' },
  });
  expect(demoted.status).toBe(200);
  service.ctx.bulkWorker.wake();
  await service.ctx.bulkWorker.idle();
  const { data } = (await asOwner(service, made, 'GET', '/bulk-actions')).body;
  expect(data[0]).toMatchObject({ status: 'stopped', stop_reason: 'role_lost', total: 1, changed: 0 });
  expect(await stagesOf(made)).toEqual([{ stage: 'pending', count: 1 }]);
  expect(await service.sql('select from bulk_action_slices where bulk_action_id = $1', [id])).toEqual([]);
  const [said] = (await service.call('GET', '/api/v1/manage/audit?limit=1', { key: made.owner.token })).body.data;
  expect(said.sentence).toMatch(/lost the role for reviewing commissions: 0 of 1 were changed$/);
});

it('a balance that changes before its turn, and a partner who is blocked, are skipped with the reason', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const [grown, blocked] = await Promise.all([service.partner(made.program), service.partner(made.program)]);
  for (const other of [grown, blocked]) await approvedSale(service, { ...made, ...other });
  // The slice is stored as if it had been seen before the changes.
  const [{ id }] = (await service.sql(
    `insert into bulk_actions (program_id, kind, change, total, actor, due_at, created_at)
     values ($1, 'create_payouts', '{}', 3, '{"requestId":null,"kind":"operator"}', $2, $2) returning id`,
    [made.program.id, service.time],
  )) as [{ id: number }];
  const items = [made, grown, blocked].map(({ partnerId }) => ({ partnerId, currency: 'USD', payableCents: '2000' }));
  await service.sql('insert into bulk_action_slices values ($1, 1, $2)', [id, JSON.stringify(items)]);
  await approvedSale(service, { ...made, ...grown });
  await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [blocked.partnerId]);
  service.ctx.bulkWorker.wake();
  await service.ctx.bulkWorker.idle();
  const { data } = (await asOwner(service, made, 'GET', '/bulk-actions')).body;
  expect(data[0]).toMatchObject({ status: 'done', changed: 1, total: 3 });
  expect(data[0].skipped).toEqual(
    expect.arrayContaining([
      { reason: 'balance_changed', count: 1 },
      { reason: 'not_payable', count: 1 },
    ]),
  );
});

it('applications are approved together; partners with another status are skipped', async () => {
  const made = await ownedProgram(service);
  const [applied, active] = await Promise.all([service.partner(made.program), service.partner(made.program)]);
  await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [applied.partnerId]);
  const ids = [applied.partnerId, active.partnerId, 999_999_999];
  const change = { status: 'active', from_status: 'applied' };
  const action = await finished(made, 'change-partners', { ...change, ids });
  expect(action).toMatchObject({ kind: 'change_partners', change, status: 'done', total: 3, changed: 1 });
  expect(action.skipped).toEqual(
    expect.arrayContaining([
      { reason: 'active', count: 1 },
      { reason: 'not_found', count: 1 },
    ]),
  );
  const moved = await start(made, 'change-partners', { group_id: 999_999_999, ids });
  expect(moved.status).toBe(400);
  const foreign = await service.call('GET', manage(made, '/bulk-actions'), {
    key: (await ownedProgram(service)).owner.token,
  });
  expect(foreign.status).toBe(404);
});

it('links are disabled and deleted together, and coupons are switched off, by filter or by ids', async () => {
  const made = await ownedProgram(service);
  const post = async (path: string, body: object) => (await asOwner(service, made, 'POST', path, body)).body.data.id;
  const partner_id = made.partnerId;
  const codes = ['a', 'b', 'c'].map((name) => `${newId('code')}-${name}`);
  const linkIds = [];
  for (const short_link of codes) linkIds.push(await post('/links', { partner_id, short_link }));
  const disabled = await finished(made, 'change-links', { active: false, filter: { q: 'code' }, count: 3 });
  expect(disabled).toMatchObject({ kind: 'change_links', change: { active: false }, status: 'done', changed: 3 });
  const deleted = await finished(made, 'change-links', { deleted: true, ids: [linkIds[0], linkIds[1], 999_999_999] });
  expect(deleted).toMatchObject({ changed: 2, skipped: [{ reason: 'not_found', count: 1 }] });
  const again = await finished(made, 'change-links', { active: false, ids: [linkIds[0], linkIds[2]] });
  expect(again.changed).toBe(0);
  expect(again.skipped).toEqual(
    expect.arrayContaining([
      { reason: 'not_found', count: 1 },
      { reason: 'unchanged', count: 1 },
    ]),
  );
  const links = (await asOwner(service, made, 'GET', '/links?q=code')).body.data;
  expect(links.map(({ id, active }: { id: number; active: boolean }) => [id, active])).toEqual([[linkIds[2], false]]);

  for (const code of codes) await post('/coupons', { partner_id, code });
  const body = { active: false, filter: { active: 'true' }, count: 3 };
  const off = await finished(made, 'change-coupons', body);
  expect(off).toMatchObject({ kind: 'change_coupons', change: { active: false }, status: 'done', changed: 3 });
  expect((await start(made, 'change-coupons', body)).status).toBe(409);
  expect((await asOwner(service, made, 'GET', '/coupons?active=true&totals=true')).body.meta.count).toBe(0);
  const said = await service.sql<{ action: string; count: number }>(
    `select action, count(*)::int as count from audit_events
     where program_id = $1 and action in ('link.changed', 'link.deleted', 'coupon.changed') group by 1 order by 1`,
    [made.program.id],
  );
  expect(said).toEqual([
    { action: 'coupon.changed', count: 3 },
    { action: 'link.changed', count: 3 },
    { action: 'link.deleted', count: 2 },
  ]);
});

it('what fails is tried again, and fails for good when that cannot help', async () => {
  const made = await ownedProgram(service);
  const { commissionId } = await sold(service, made);
  const insert = async (kind: string, change: string, items: unknown[]) => {
    const [{ id }] = (await service.sql(
      `insert into bulk_actions (program_id, kind, change, total, actor, due_at, created_at)
       values ($1, $2, $3, 1, '{"requestId":null,"kind":"operator"}', $4, $4) returning id`,
      [made.program.id, kind, change, service.time],
    )) as [{ id: number }];
    await service.sql('insert into bulk_action_slices values ($1, 1, $2)', [id, JSON.stringify(items)]);
  };
  // Its group was deleted after it had been started. The review beside it is not held up.
  await insert('change_partners', '{"group_id":999999999}', [made.partnerId]);
  await insert('review_commissions', '{"action":"approve"}', [commissionId]);
  service.ctx.bulkWorker.wake();
  await service.ctx.bulkWorker.idle();
  const { data } = (await asOwner(service, made, 'GET', '/bulk-actions')).body;
  expect(data.map(({ kind, status, changed }: never) => [kind, status, changed])).toEqual([
    ['review_commissions', 'done', 1],
    ['change_partners', 'failed', 0],
  ]);
});
