import { isDeepStrictEqual } from 'node:util';
import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import {
  type Kind,
  MoneyOut,
  type Outcome,
  type RunWish,
  type Settling,
} from '@svc/testkit/service/payments/money-out-model.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { colleague, type Payee, payee, removeMethod, setMethod } from '@svc/testkit/service/payments/payees.ts';
import { type Answer, TestService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addAdjustment } from '../commissions/add-adjustment.ts';
import { reviewCommissions } from '../commissions/review-commissions.ts';
import { findEarnings } from '../payouts/earnings-store.ts';

// Two nodes on a real Postgres. The embedded store belongs to one, which gets the same requests at the same time.
const [service, other] = [new TestService(), new TestService()];
const nodes = process.env.SVC_TEST_STORE === 'postgres' ? [service, other] : [service];
beforeAll(async () => {
  const env: Record<string, string> = nodes.length > 1 ? { DATABASE_URL: await newPostgres() } : {};
  for (const node of nodes) await node.open(env);
});
afterAll(async () => {
  for (const node of nodes) await node.service?.close();
});

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const STEPS = IS_LONG ? 500 : 90;
const SEEDS = IS_LONG ? Array.from({ length: 12 }, (_, index) => index + 1) : [1];
const COMPARE_EVERY = 5;
const DAY_MS = 86_400_000;

/** Numbers that look random and are the same for the same seed. */
function randomOf(seed: number) {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  const happens = (share: number) => next() < share;
  const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  return { below, happens, oneOf };
}

/** A request, and what the model says about it. */
type Operation = { name: string; send: (node: TestService) => Promise<Outcome>; predict: (model: MoneyOut) => Outcome };

it.each(SEEDS)(
  'what was paid, is due and is carried agrees with the model to the cent, whatever happens: seed %i',
  async (seed) => {
    const random = randomOf(seed);
    const made = await ownedProgram(service);
    const second = await colleague(service, made);
    let model = new MoneyOut();
    model.now = service.time.getTime();
    const payees = new Map<number, Payee>();
    const sales = new Map<number, { transactionId: string; left: number }>();
    const customers = new Map<number, string>();
    await asOwner(service, made, 'PUT', '/payout-settings', {
      payer: {
        name: 'Acme',
        ach: { company_id: '1234567890', company_name: 'Acme', odfi_routing: '021000021', destination_name: 'Bank' },
      },
    });
    for (const kind of ['paypal', 'us_bank', 'iban', 'other', null] as const) {
      const joined = await payee(service, made, kind);
      payees.set(joined.partnerId, joined);
      const partner = { id: joined.partnerId, isActive: true, method: null };
      model.partners.push(partner);
      if (kind) model.setMethod(partner, kind, false);
      customers.set(joined.partnerId, newId('user'));
      await service.customer(joined, customers.get(joined.partnerId) as string);
      tick(1);
    }

    for (let step = 1; step <= STEPS; step += 1) {
      tick(60);
      const name = await takeStep();
      if (step % COMPARE_EVERY === 0 || step === STEPS) await compare(`seed ${seed}, step ${step}, after ${name}`);
    }

    function tick(seconds: number): void {
      service.advance({ seconds });
      other.time = service.time;
      model.now = service.time.getTime();
    }

    async function takeStep(): Promise<string> {
      const kind = random.below(100);
      if (kind < 20) return sell();
      if (kind < 34) return approveSome();
      if (kind < 43) return refund();
      if (kind < 48) return adjust();
      if (kind < 51) return reject();
      if (kind < 57) return changeMethod();
      if (kind < 59) return changeStanding();
      if (kind < 62) return changeSettings();
      if (kind < 65) return passTime();
      if (kind < 90) return single(operation());
      return race(operation(), operation());
    }

    /** Nobody earns through others. */
    function activePartners(): number[] {
      return model.partners.filter(({ isActive }) => isActive).map(({ id }) => id);
    }

    async function sell(): Promise<string> {
      const partnerId = random.oneOf(activePartners());
      if (partnerId === undefined) return 'nothing';
      const transactionId = newId('order');
      const amount = 5 * (1 + random.below(4_000));
      const currency = random.oneOf(['EUR', 'USD']);
      const sale = {
        transaction_id: transactionId,
        customer_key: customers.get(partnerId),
        amount_cents: amount,
        currency,
      };
      const { status, body } = await service.sale(sale, { key: made.apiKey });
      expect([status, body.error]).toEqual([200, undefined]);
      const id = body.data.commission_id;
      sales.set(id, { transactionId, left: amount });
      const earned = { id, partner: partnerId, currency, cents: amount / 5, takenBack: 0, approvedAt: null };
      model.earnings.push({ ...earned, isRejected: false });
      return 'a sale';
    }

    async function approveSome(): Promise<string> {
      const ids = [...sales.keys()].filter((id) => model.earning(id).approvedAt === null).slice(0, 1 + random.below(3));
      if (ids.length > 0)
        await reviewCommissions(service.ctx, made.program, ids, { action: 'approve', actor: OPERATOR });
      for (const id of ids) model.approveEarning(id);
      return 'an approval';
    }

    async function refund(): Promise<string> {
      const refundable = [...sales].filter(([, { left }]) => left > 0);
      if (refundable.length === 0) return 'nothing';
      const [id, sale] = random.oneOf(refundable);
      const cents = random.happens(0.3) ? sale.left : 5 * (1 + random.below(sale.left / 5));
      const sent = { transaction_id: sale.transactionId, refund_amount_cents: cents };
      expect((await random.oneOf(nodes).refund(sent, { key: made.apiKey })).status).toBe(200);
      sale.left -= cents;
      model.earning(id).takenBack += cents / 5;
      return 'a refund';
    }

    async function adjust(): Promise<string> {
      const partner = random.oneOf(activePartners());
      if (partner === undefined) return 'nothing';
      const cents = (1 + random.below(900)) * (random.happens(0.5) ? 1 : -1);
      const currency = random.oneOf(['EUR', 'USD']);
      const adjustment = { partnerId: partner, cents, currency, reason: 'Agreed' };
      const id = await addAdjustment(service.ctx, made.program, adjustment, OPERATOR);
      model.earnings.push({ id, partner, currency, cents, takenBack: 0, approvedAt: model.now, isRejected: false });
      return 'an adjustment';
    }

    async function reject(): Promise<string> {
      const id = random.oneOf([...sales.keys()]);
      if (id === undefined) return 'nothing';
      const [reviewed] = await reviewCommissions(service.ctx, made.program, [id], {
        action: 'reject',
        actor: OPERATOR,
      });
      expect(reviewed?.outcome === 'done').toBe(model.canReject(id));
      if (reviewed?.outcome === 'done') model.earning(id).isRejected = true;
      return 'a rejection';
    }

    async function changeMethod(): Promise<string> {
      const partner = random.oneOf(model.partners);
      const { userId } = (payees.get(partner.id) as Payee).account;
      if (random.happens(0.2)) {
        await removeMethod(service, userId);
        partner.method = null;
        return 'a method removed';
      }
      const kind = random.oneOf<Kind>(['paypal', 'us_bank', 'iban', 'other']);
      const isHeld = random.happens(0.4);
      model.setMethod(partner, kind, isHeld);
      await setMethod(service, userId, kind, { usableFrom: new Date(partner.method?.usableFrom ?? 0) });
      return 'a method changed';
    }

    async function changeStanding(): Promise<string> {
      const partner = random.oneOf(model.partners);
      partner.isActive = !partner.isActive;
      const status = partner.isActive ? 'active' : 'removed';
      await asOwner(service, made, 'PATCH', `/partners/${partner.id}`, { status });
      return `a partner ${status}`;
    }

    async function changeSettings(): Promise<string> {
      model.minimum = random.happens(0.5) ? {} : { EUR: random.below(1_000), USD: random.below(1_000) };
      model.netDays = random.oneOf([0, 0, 0, 1, 7]);
      model.twoPersons = random.happens(0.3);
      const settings = { minimum_cents: model.minimum, net_days: model.netDays, two_persons: model.twoPersons };
      expect((await asOwner(service, made, 'PUT', '/payout-settings', settings)).status).toBe(200);
      return 'other settings';
    }

    async function passTime(): Promise<string> {
      tick(random.oneOf([3_600, 86_400, 4 * 86_400]));
      return 'some time';
    }

    async function single({ name, send, predict }: Operation): Promise<string> {
      const expected = predict(model);
      const found = await send(random.oneOf(nodes));
      expect({ name, ...withoutIds(found) }).toEqual({ name, ...expected });
      await learnIds();
      return name;
    }

    /** Two requests at the same time: the result is that of one after the other, in either order. */
    async function race(one: Operation, two: Operation): Promise<string> {
      const name = `${one.name} and ${two.name} at once`;
      const found = await Promise.all([one.send(service), two.send(nodes.at(-1) as TestService)]);
      const orders = [
        [one, two],
        [two, one],
      ].map((order) => {
        const then = model.copy();
        const expected = new Map(order.map((operation) => [operation, operation.predict(then)]));
        return { then, expected: [expected.get(one), expected.get(two)] };
      });
      const seen = found.map(withoutIds);
      const fitting = orders.find(({ expected }) => isDeepStrictEqual(expected, seen));
      if (!fitting) expect({ name, seen }).toEqual({ name, seen: orders.map(({ expected }) => expected) });
      model = (fitting as (typeof orders)[number]).then;
      await learnIds();
      return name;
    }

    function operation(): Operation {
      const kind = random.below(100);
      const draftOrOther = model.runs.filter(({ status }) => status === 'draft' || status === 'approved');
      const underWay = model.runs.filter(({ status }) => status === 'sent' || status === 'settled');
      if (kind < 28 || model.runs.length === 0) return making();
      if (kind < 48) return stepOf(random.oneOf(draftOrOther.length > 0 ? draftOrOther : model.runs).number, 'approve');
      if (kind < 53) return stepOf(random.oneOf(draftOrOther.length > 0 ? draftOrOther : model.runs).number, 'cancel');
      if (kind < 66)
        return stepOf(random.oneOf(draftOrOther.length > 0 ? draftOrOther : model.runs).number, 'mark-sent');
      if (kind < 88) return settling(random.oneOf(underWay.length > 0 ? underWay : model.runs).number);
      if (kind < 92) return payingOut();
      return closing();
    }

    function making(): Operation {
      const ids = [...payees.keys()];
      const wish: RunWish = {
        ...(random.happens(0.3) && { cutoff: model.now - random.below(5 * DAY_MS) }),
        ...(random.happens(0.2) && { currency: random.oneOf(['EUR', 'USD']) }),
        ...(random.happens(0.2) && { partners: ids.filter(() => random.happens(0.6)) }),
        ...(random.happens(0.3) && { excluded: [random.oneOf(ids)] }),
      };
      const person = random.oneOf([made.owner, second]);
      const body = {
        ...(wish.cutoff !== undefined && { cutoff_at: new Date(wish.cutoff).toISOString() }),
        ...(wish.currency && { currency: wish.currency }),
        ...(wish.partners && { partner_ids: wish.partners }),
        ...(wish.excluded && { excluded_partner_ids: wish.excluded }),
      };
      return {
        name: 'making a run',
        send: async (node) => outcomeOf(await callAs(node, person.token, 'POST', '/payout-runs', body)),
        predict: (then) => then.make(wish, person.userId),
      };
    }

    function stepOf(number: number, step: 'approve' | 'cancel' | 'mark-sent'): Operation {
      const person = random.oneOf([made.owner, second]);
      const path = `/payout-runs/${model.run(number).id}/${step}`;
      return {
        name: `${step} of run ${number}`,
        send: async (node) => ({ status: (await callAs(node, person.token, 'POST', path)).status }),
        predict: (then) => {
          if (step === 'approve') return then.approve(number, person.userId);
          return step === 'cancel' ? then.cancel(number) : then.send(number);
        },
      };
    }

    function settling(number: number): Operation {
      const path = `/payout-runs/${model.run(number).id}/settle`;
      if (random.happens(0.3)) {
        return {
          name: `settling all of run ${number}`,
          send: async (node) => ({
            status: (await callAs(node, made.owner.token, 'POST', path, { all: 'paid' })).status,
          }),
          predict: (then) => {
            const sent = then.payoutsOf(number).filter(({ status }) => status === 'sent');
            return then.settle(
              number,
              sent.map(({ id }) => ({ id, status: 'paid' })),
            );
          },
        };
      }
      const own = model.payoutsOf(number);
      const isFine = random.happens(0.8);
      const chosen = own.filter(({ status }) => (isFine ? ['sent', 'paid'].includes(status) : true)).slice(0, 3);
      const items = chosen.map(({ id, status }): Settling => {
        return {
          id,
          status: isFine && status === 'paid' ? 'returned' : random.oneOf(['paid', 'paid', 'failed', 'returned']),
        };
      });
      if (items.length === 0) return making();
      return {
        name: `settling ${items.length} of run ${number}`,
        send: async (node) => ({
          status: (await callAs(node, made.owner.token, 'POST', path, { payouts: items })).status,
        }),
        predict: (then) => then.settle(number, items),
      };
    }

    function payingOut(): Operation {
      return {
        name: 'creating payouts',
        send: async (node) => {
          const { status, body } = await callAs(node, made.owner.token, 'POST', '/payouts', {});
          return { status, paid: amountsOf(body.data) };
        },
        predict: (then) => then.payOut(),
      };
    }

    function closing(): Operation {
      const payout = random.oneOf(model.payouts);
      if (!payout) return making();
      const to = random.oneOf(['paid', 'failed', 'cancelled'] as const);
      const verb = { paid: 'mark-paid', failed: 'mark-failed', cancelled: 'cancel' }[to];
      const path = `/payouts/${payout.id}/${verb}`;
      const body = to === 'failed' ? { reason: 'It came back' } : {};
      return {
        name: `${verb} of payout ${payout.id}`,
        send: async (node) => ({ status: (await callAs(node, made.owner.token, 'POST', path, body)).status }),
        predict: (then) => then.close(payout.id, to),
      };
    }

    function callAs(node: TestService, key: string, method: string, rest: string, body?: object): Promise<Answer> {
      return node.call(method, `/api/v1/manage/programs/${made.program.id}${rest}`, { key, body });
    }

    /** The model does not know the ids that the service gives. A run has one payout for each partner and currency. */
    async function learnIds(): Promise<void> {
      const runs = await service.sql<{ id: number; number: number }>(
        'select id, number from payout_runs where program_id = $1',
        [made.program.id],
      );
      for (const run of model.runs) run.id = runs.find(({ number }) => number === run.number)?.id ?? 0;
      const unnamed = model.payouts.filter(({ id }) => id === 0);
      if (unnamed.length === 0) return;
      const rows = await payoutRows();
      const known = new Set(model.payouts.map(({ id }) => id));
      for (const payout of unnamed) {
        const own = rows.find(
          (row) =>
            !known.has(row.id) &&
            row.partner === payout.partner &&
            row.currency === payout.currency &&
            (row.run ?? null) === payout.run,
        );
        expect(own).toBeDefined();
        payout.id = own?.id ?? 0;
        known.add(payout.id);
      }
    }

    function payoutRows() {
      return service.sql<{
        id: number;
        run: number | null;
        partner: number;
        currency: string;
        cents: number;
        status: string;
      }>(
        `select o.id, r.number as run, o.partner_id as partner, o.currency, o.amount_cents as cents, o.status
         from payouts o left join payout_runs r on r.id = o.run_id where o.program_id = $1 order by o.id`,
        [made.program.id],
      );
    }

    async function compare(when: string): Promise<void> {
      const rows = await payoutRows();
      const payouts = [...model.payouts].sort((one, two) => one.id - two.id);
      expect({ when, payouts: rows }).toEqual({
        when,
        payouts: payouts.map((payout) => ({
          id: payout.id,
          run: payout.run,
          partner: payout.partner,
          currency: payout.currency,
          cents: model.amount(payout),
          status: payout.status,
        })),
      });
      const runs = await service.sql('select number, status from payout_runs where program_id = $1 order by number', [
        made.program.id,
      ]);
      expect({ when, runs }).toEqual({ when, runs: model.runs.map(({ number, status }) => ({ number, status })) });
      for (const partner of payees.keys()) {
        const earned = await findEarnings(service.ctx.db, made.program.id, partner);
        for (const currency of ['EUR', 'USD']) {
          const row = earned.find((each) => each.currency === currency);
          const found = {
            paid: row?.paidCents ?? 0,
            underWay: row?.inPayoutsCents ?? 0,
            due: row?.approvedCents ?? 0,
            carried: row?.carriedCents ?? 0,
          };
          expect({ when, partner, currency, ...found }).toEqual({
            when,
            partner,
            currency,
            ...model.balance(partner, currency),
          });
          expect({ when, partner, isConserved: model.conserves(partner, currency) }).toMatchObject({
            isConserved: true,
          });
        }
      }
    }
  },
  600_000,
);

type Shown = { partner_id: number; currency: string; amount_cents: number };

const amountsOf = (rows: Shown[]) =>
  Object.fromEntries(rows.map(({ partner_id, currency, amount_cents }) => [`${partner_id} ${currency}`, amount_cents]));

const reasonsOf = (rows: (Shown & { reason: string })[]) =>
  Object.fromEntries(
    rows.map(({ partner_id, currency, amount_cents, reason }) => [
      `${partner_id} ${currency}`,
      `${amount_cents} ${reason}`,
    ]),
  );

function outcomeOf({ status, body }: Answer): Outcome {
  if (status === 201) return { status, paid: amountsOf(body.data.payouts), leftOut: reasonsOf(body.data.left_out) };
  return status === 409 ? { status, leftOut: reasonsOf(body.error.details.left_out) } : { status };
}

const withoutIds = ({ ids: _, ...outcome }: Outcome): Outcome => outcome;
