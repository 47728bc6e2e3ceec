import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '@svc/testkit';
import { deductionOf, restOf, type Sale, type Terms } from './model.ts';
import type { Nodes } from './nodes.ts';
import { type Answer, Sender } from './sender.ts';
import { paymentEvent, refundEvent } from './stripe-events.ts';

export type Program = {
  id: number;
  apiKey: string;
  shortLink: string;
  terms: Terms;
  /** The account at the payment processor, in releases that know one. */
  account: string | null;
};

const MAX_CENTS = 20_000;
/** How long a payment through the processor may take to become a sale that can be refunded. */
const SETTLE_MS = 4_000;
const RESENDS = 5;

type OpenSale = Sale & { program: Program; openAt: number };

/** Customers who click, sign up, buy and give back, at random nodes. What was acknowledged is what the model is told. */
export class Shop {
  readonly sales: Sale[] = [];
  /** Answers that contradict the model. */
  readonly wrongAnswers: string[] = [];
  readonly sender: Sender;
  clicks = 0;
  leads = 0;
  refunds = 0;
  readonly #programs: Program[];
  readonly #open: OpenSale[] = [];
  readonly #seed: number;
  #isOver = false;
  #workers: Promise<void>[] = [];
  #lastId = 0;

  constructor(nodes: Nodes, programs: Program[], seed: number) {
    this.#programs = programs;
    this.#seed = seed;
    this.sender = new Sender(nodes, new Chance(seed));
  }

  start(workers: number): void {
    this.#workers = Array.from({ length: workers }, (_, index) => this.#work(new Chance(this.#seed + index * 7_919)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  async #work(chance: Chance): Promise<void> {
    while (!this.#isOver) {
      await this.#serveCustomer(chance);
      for (let count = chance.below(4); count > 0; count -= 1) await this.#giveBack(chance);
    }
  }

  async #serveCustomer(chance: Chance): Promise<void> {
    const program = chance.pick(this.#programs);
    const click = await this.sender.post('click', { affiliate_url: `https://example.com/?aff=${program.shortLink}` });
    if (click.status !== 200) return;
    this.clicks += 1;
    const key = this.#newId('user');
    const lead = await this.#resend(() =>
      this.sender.post('lead', { click_id: click.body.click_id, customer_key: key }, program.apiKey),
    );
    // Without an answer to the first attempt, a resent one may find the customer signed up.
    if (lead.status !== 200 && !lead.wasResent) return this.#report('lead', lead);
    this.leads += 1;
    for (let count = 1 + chance.below(2); count > 0; count -= 1) await this.#sell(chance, program, key);
  }

  async #sell(chance: Chance, program: Program, customerKey: string): Promise<void> {
    const throughProcessor = program.account !== null && chance.happens(0.3);
    const id = this.#newId(throughProcessor ? 'pi' : 'order');
    const cents = 1 + chance.below(MAX_CENTS);
    if (throughProcessor) {
      const event = paymentEvent({ account: program.account as string, intent: id, cents }, customerKey);
      const answer = await this.#resend(() => this.sender.deliver(event));
      if (answer.status !== 200) return this.#report('payment', answer);
    } else {
      const body = { transaction_id: id, customer_key: customerKey, amount_cents: cents };
      const answer = await this.#resend(() => this.sender.post('sale', body, program.apiKey));
      if (answer.status !== 200 && !(answer.status === 409 && answer.wasResent)) return this.#report('sale', answer);
    }
    const sale = { id, programId: program.id, terms: program.terms, cents, refunds: [] };
    const open: OpenSale = {
      ...sale,
      processorRefunded: throughProcessor ? 0 : null,
      program,
      openAt: performance.now() + (throughProcessor ? SETTLE_MS : 0),
    };
    this.sales.push(open);
    this.#open.push(open);
  }

  /** Refunds one of the sales. Nobody else does meanwhile, so the model knows what has to come of it. */
  async #giveBack(chance: Chance): Promise<void> {
    const now = performance.now();
    const index = chance.below(this.#open.length);
    const sale = this.#open[index];
    if (!sale || sale.openAt > now) return;
    this.#open.splice(index, 1);
    if (sale.processorRefunded !== null && chance.happens(0.5)) await this.#refundAtProcessor(chance, sale);
    else if (sale.processorRefunded === null && restOf(sale) > 1 && chance.happens(0.15))
      await this.#refundTwice(chance, sale);
    else if (chance.happens(0.05)) await this.#refundTooMuch(sale);
    else await this.#refund(sale, chance.happens(0.25) ? null : 1 + chance.below(restOf(sale)));
    if (restOf(sale) > 0) this.#open.push(sale);
  }

  /** Refunds a part, or the rest if there is no amount. */
  async #refund(sale: OpenSale, amount: number | null): Promise<void> {
    const cents = amount ?? restOf(sale);
    const before = sale.refunds.reduce((sum, each) => sum + each, 0);
    const answer = await this.#sendRefund(sale, amount);
    if (answer.status !== 200) return this.#report(`refund of ${sale.id}`, answer);
    sale.refunds.push(cents);
    this.refunds += 1;
    // Of a payment through the processor, the service may know more than the shop by now.
    if (sale.processorRefunded !== null) return;
    const { refunded_cents: refunded, deduction_cents: deduction } = answer.body.data;
    const expected = deductionOf(sale, before + cents) - deductionOf(sale, before);
    if (refunded !== cents || deduction !== expected) {
      this.wrongAnswers.push(
        `${sale.id}: refunding ${cents} took ${refunded}/${deduction} instead of ${cents}/${expected}`,
      );
    }
  }

  /** Two parts at once, perhaps on different nodes. Which one is first decides about single cents, but not about the sum. */
  async #refundTwice(chance: Chance, sale: OpenSale): Promise<void> {
    const one = 1 + chance.below(restOf(sale) - 1);
    const other = 1 + chance.below(restOf(sale) - one);
    const answers = await Promise.all([this.#sendRefund(sale, one), this.#sendRefund(sale, other)]);
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) this.#report(`refund of ${sale.id}`, answer);
      else {
        sale.refunds.push([one, other][index] as number);
        this.refunds += 1;
      }
    }
  }

  async #refundTooMuch(sale: OpenSale): Promise<void> {
    const answer = await this.#sendRefund(sale, restOf(sale) + 1);
    if (answer.status !== 400) this.#report(`too large refund of ${sale.id}`, answer);
  }

  async #refundAtProcessor(chance: Chance, sale: OpenSale): Promise<void> {
    const left = sale.cents - (sale.processorRefunded ?? 0);
    if (left === 0) return;
    const total = (sale.processorRefunded ?? 0) + 1 + chance.below(left);
    const { account } = sale.program;
    const event = refundEvent({ account: account as string, intent: sale.id, cents: sale.cents }, total);
    const answer = await this.#resend(() => this.sender.deliver(event));
    if (answer.status !== 200) return this.#report(`processor refund of ${sale.id}`, answer);
    sale.processorRefunded = total;
    this.refunds += 1;
    // Totals of the same second have no order.
    sale.openAt = performance.now() + 2_000;
  }

  #sendRefund(sale: OpenSale, amount: number | null): Promise<Answer> {
    const body = {
      transaction_id: sale.id,
      refund_id: this.#newId('refund'),
      ...(amount && { refund_amount_cents: amount }),
    };
    return this.#resend(() => this.sender.post('refund', body, sale.program.apiKey));
  }

  /** As a careful shop does: what was not answered, or not carried out, is sent again. */
  async #resend(send: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send();
      const isUnknown = answer.status === null || answer.status >= 500;
      if (!isUnknown || attempt === RESENDS) return { ...answer, wasResent: attempt > 0 };
      await sleep(200);
    }
  }

  #report(what: string, { status, body }: Answer): void {
    this.wrongAnswers.push(`${what}: answered ${status} ${JSON.stringify(body)}`);
  }

  #newId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}_${this.#seed}_${this.#lastId}`;
  }
}
