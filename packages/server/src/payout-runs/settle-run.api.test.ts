import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, runCall, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });

const settle = (made: OwnedProgram, runId: number, body: object) =>
  runCall(service, made, 'POST', `/${runId}/settle`, body);
const mailsTo = async (userId: string) => {
  const rows = await service.sql<{ kind: string }>(
    "select kind from mails where user_id = $1 and kind in ('payout_created', 'payout_failed', 'statement_ready') order by id",
    [userId],
  );
  return rows.map(({ kind }) => kind);
};

/** A sent run with a payout for each of two partners, who have a sale of 100.00 each. */
async function runOfTwo(kinds: ['paypal' | 'iban' | 'other', 'paypal' | 'iban' | 'other'] = ['paypal', 'paypal']) {
  const made = await ownedProgram(service);
  const [jane, ben] = [await payee(service, made, kinds[0]), await payee(service, made, kinds[1])];
  const sales = [
    await approvedSale(service, jane, { currency: 'EUR' }),
    await approvedSale(service, ben, { currency: 'EUR' }),
  ] as const;
  const run = await sentRun(service, made);
  const idOf = (partnerId: number): number =>
    run.payouts.find((payout: { partner_id: number }) => payout.partner_id === partnerId).id;
  return { made, run, jane, ben, sales, ids: [idOf(jane.partnerId), idOf(ben.partnerId)] as const };
}

describe('settling', () => {
  it('one paid, one failed: the run is settled, what failed is due again, and both are told', async () => {
    const { made, run, jane, ben, sales, ids } = await runOfTwo();
    const { status, body } = await settle(made, run.id, {
      payouts: [
        { id: ids[0], status: 'paid', reference: 'PP-1' },
        { id: ids[1], status: 'failed', code: 'AC04' },
      ],
    });
    expect(status).toBe(200);
    const words = 'The bank says that the account is closed. Add another payout method.';
    expect(body.data).toMatchObject({ status: 'settled', settled_at: service.time.toISOString() });
    expect(body.data.payouts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: ids[0], status: 'paid', reference: 'PP-1' }),
        expect.objectContaining({ id: ids[1], status: 'failed', failure_code: 'AC04', failure_reason: words }),
      ]),
    );
    expect([await dueOn(service, sales[0]), await dueOn(service, sales[1])]).toEqual([
      { stage: 'paid', due: 0 },
      { stage: 'approved', due: 2_000 },
    ]);
    expect(await mailsTo(jane.account.userId)).toEqual(['payout_created', 'statement_ready']);
    expect(await mailsTo(ben.account.userId)).toEqual(['payout_created', 'payout_failed']);
    // The way back: the next run has what failed.
    expect((await draft(service, made)).payouts).toMatchObject([{ partner_id: ben.partnerId, amount_cents: 2_000 }]);
  });

  it('all that are sent, with one reference', async () => {
    const { made, run } = await runOfTwo();
    const { body } = await settle(made, run.id, { all: 'paid', reference: 'Batch 7' });
    expect(body.data).toMatchObject({ status: 'settled' });
    expect(body.data.payouts.map((payout: object) => payout)).toMatchObject([
      { status: 'paid', reference: 'Batch 7' },
      { status: 'paid', reference: 'Batch 7' },
    ]);
    const again = await settle(made, run.id, { all: 'paid' });
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'No payout of payout run 1 is sent. Nothing was changed.',
    ]);
  });

  it('a paid one that comes back is due again, and the run stays settled', async () => {
    const { made, run, sales, ids } = await runOfTwo();
    await settle(made, run.id, { all: 'paid' });
    service.advance({ days: 1 });
    const back = await settle(made, run.id, { payouts: [{ id: ids[0], status: 'returned', reason: 'Unclaimed' }] });
    expect(back.body.data.status).toBe('settled');
    const payout = (await asOwner(service, made, 'GET', `/payouts/${ids[0]}`)).body.data;
    expect(payout).toMatchObject({
      status: 'returned',
      failure_reason: 'Unclaimed',
      returned_at: service.time.toISOString(),
      paid_at: expect.any(String),
    });
    expect(await dueOn(service, sales[0])).toEqual({ stage: 'approved', due: 2_000 });
  });

  it.each([
    ['code', { code: 'ZZ99' }, 'The bank or payment service says ZZ99.'],
    ['nothing', {}, 'The payment failed. No reason was given.'],
    ['own words', { code: 'AC04', reason: 'Closed in May' }, 'Closed in May'],
  ])('what failed is told in words: %s', async (_what, said, words) => {
    const { made, run, ids } = await runOfTwo();
    const { body } = await settle(made, run.id, { payouts: [{ id: ids[0], status: 'failed', ...said }] });
    const payout = body.data.payouts.find(({ id }: { id: number }) => id === ids[0]);
    expect([body.data.status, payout.failure_reason]).toEqual(['sent', words]);
  });

  it('what no file holds stays open when the run is sent, says why, and is paid by hand', async () => {
    const { made, run, ids } = await runOfTwo(['iban', 'paypal']);
    const open = run.payouts.find(({ id }: { id: number }) => id === ids[0]);
    expect(open).toMatchObject({ status: 'open', not_in_file: expect.stringMatching(/IBAN/) });
    await settle(made, run.id, { all: 'paid' });
    const found = (await runCall(service, made, 'GET', `/${run.id}`)).body.data;
    expect(found.status).toBe('sent');
    const { body } = await settle(made, run.id, { payouts: [{ id: ids[0], status: 'paid' }] });
    expect(body.data.status).toBe('settled');
  });
});

describe('refused, and nothing changed', () => {
  const stored = (made: OwnedProgram) =>
    service.sql('select id, status, reference from payouts where program_id = $1 order by id', [made.program.id]);

  it('409 for a second settlement of a settled payout, which it names; the others are not settled either', async () => {
    const { made, run, ids } = await runOfTwo();
    await settle(made, run.id, { payouts: [{ id: ids[0], status: 'paid' }] });
    const before = await stored(made);
    for (const status of ['paid', 'failed']) {
      const { status: code, body } = await settle(made, run.id, {
        payouts: [
          { id: ids[1], status: 'paid' },
          { id: ids[0], status },
        ],
      });
      expect([code, body.error.message]).toEqual([
        409,
        `Payout ${ids[0]} is paid and cannot become ${status}. Nothing was changed.`,
      ]);
    }
    expect(await stored(made)).toEqual(before);
  });

  it('400 for a payout of another run, for the same one twice, and for neither payouts nor all', async () => {
    const { made, run, jane, ids } = await runOfTwo();
    await approvedSale(service, jane);
    const other = await sentRun(service, made);
    const before = await stored(made);
    const foreign = other.payouts[0].id;
    const answers = [
      await settle(made, run.id, {
        payouts: [
          { id: ids[0], status: 'paid' },
          { id: foreign, status: 'paid' },
        ],
      }),
      await settle(made, run.id, {
        payouts: [
          { id: ids[0], status: 'paid' },
          { id: ids[0], status: 'paid' },
        ],
      }),
      await settle(made, run.id, {}),
      await settle(made, run.id, { payouts: [{ id: ids[0], status: 'paid' }], all: 'paid' }),
      await settle(made, run.id, { payouts: [{ id: ids[0], status: 'lost' }] }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.message])).toEqual([
      [400, `Payout ${foreign} is not part of payout run 1. Nothing was changed.`],
      [400, `Payout ${ids[0]} is in the list twice. Nothing was changed.`],
      [400, 'Send either payouts or all'],
      [400, 'Send either payouts or all'],
      [400, 'status must be one of paid, failed, returned'],
    ]);
    expect(await stored(made)).toEqual(before);
  });

  it.each(['draft', 'approved'] as const)('409 while the run is %s', async (state) => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made));
    const run = state === 'draft' ? await draft(service, made) : await sentRun(service, made, 'approved');
    const { status, body } = await settle(made, run.id, { all: 'paid' });
    expect([status, body.error.message]).toEqual([409, `Payout run 1 is ${state} and cannot be settled`]);
  });

  it('404 for a run of another program', async () => {
    const { run } = await runOfTwo();
    const other = await ownedProgram(service);
    expect((await settle(other, run.id, { all: 'paid' })).status).toBe(404);
    expect((await runCall(service, other, 'GET', `/${run.id}`)).status).toBe(404);
  });
});
