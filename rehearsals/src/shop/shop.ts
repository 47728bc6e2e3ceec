import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '@svc/testkit';
import { deductionOf, type Lead, type Refund, refundedBy, restOf, type Sale } from './model.ts';
import type { Nodes } from './nodes.ts';
import type { Program } from './programs.ts';
import { type Answer, isUnknown, Sender } from './sender.ts';
import { paymentEvent, refundEvent, type StripeEvent } from './stripe-events.ts';

const MAX_CENTS = 20_000;
/** How long a payment through the processor may take to become a sale that can be refunded. */
const SETTLE_MS = 4_000;
const RESEND_MS = 200;

export type ShopOptions = {
  seed: number;
  /** How long a request waits for an answer. */
  timeoutMs: number;
  /** How often a request without an answer is sent again. */
  resends: number;
  /** Sent with every click. */
  clickDetails?: object;
};

type OpenSale = Sale & { program: Program; openAt: number };

/** Customers who click, sign up, buy and give back, at random nodes. What was acknowledged is what the model is told. */
export class Shop {
  readonly sales: Sale[] = [];
  /** Answers that contradict the model. */
  readonly wrongAnswers: string[] = [];
  readonly sender: Sender;
  /** The ids of the clicks. */
  readonly clicks: string[] = [];
  readonly leads: Lead[] = [];
  refunds = 0;
  /** Clicks without an answer. They are not sent again, and may be stored or not. */
  unknownClicks = 0;
  /** Requests that were sent again. */
  resent = 0;
  readonly #programs: Program[];
  readonly #open: OpenSale[] = [];
  readonly #options: ShopOptions;
  #isOver = false;
  #isAbandoned = false;
  #workers: Promise<void>[] = [];
  #lastId = 0;

  constructor(nodes: Nodes, programs: Program[], options: ShopOptions) {
    this.#programs = programs;
    this.#options = options;
    this.sender = new Sender(nodes, new Chance(options.seed), options.timeoutMs);
  }

  start(workers: number): void {
    this.#workers = Array.from({ length: workers }, (_, index) =>
      this.#work(new Chance(this.#options.seed + index * 7_919)),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  /** Sends nothing again that is not answered, because nobody will. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await this.stop();
  }

  async #work(chance: Chance): Promise<void> {
    while (!this.#isOver) {
      await this.#serveCustomer(chance);
      for (let count = chance.below(4); count > 0; count -= 1) await this.#giveBack(chance);
    }
  }

  async #serveCustomer(chance: Chance): Promise<void> {
    const program = chance.pick(this.#programs);
    const key = await this.signUp(program);
    if (key === null) return;
    for (let count = 1 + chance.below(2); count > 0; count -= 1) await this.#sell(chance, program, key);
  }

  /** Lets a visitor click and sign up. The key of the customer, or null if it was not acknowledged. */
  async signUp(program: Program): Promise<string | null> {
    const click = await this.#click(program);
    if (click === null) return null;
    const key = this.#newId('user');
    const lead = await this.#resend(() =>
      this.sender.post('lead', { click_id: click, customer_key: key }, program.apiKey),
    );
    // If the first attempt was carried out without an answer, the customer has signed up by the time of the next one.
    const isRepeated = lead.wasResent && lead.status === 400 && lead.body.error.message.includes('cannot be updated');
    if (lead.status !== 200 && !isRepeated) {
      this.#report('lead', lead);
      return null;
    }
    this.leads.push({ programId: program.id, customerKey: key, clickId: click });
    return key;
  }

  /** Delivers an event of the payment processor until it is acknowledged. */
  async deliver(event: StripeEvent): Promise<boolean> {
    const answer = await this.#resend(() => this.sender.deliver(event));
    if (answer.status !== 200) this.#report(event.id, answer);
    return answer.status === 200;
  }

  /** The id of an acknowledged click. */
  async #click({ shortLink }: Program): Promise<string | null> {
    const url = `https://example.com/?aff=${shortLink}`;
    const answer = await this.sender.post('click', { affiliate_url: url, ...this.#options.clickDetails });
    if (answer.status === 200) {
      this.clicks.push(answer.body.click_id);
      return answer.body.click_id;
    }
    if (isUnknown(answer)) this.unknownClicks += 1;
    else this.#report('click', answer);
    // As it takes a visitor until the next page.
    await sleep(RESEND_MS);
    return null;
  }

  async #sell(chance: Chance, program: Program, customerKey: string): Promise<void> {
    const throughProcessor = program.account !== null && chance.happens(0.3);
    const id = this.#newId(throughProcessor ? 'pi' : 'order');
    const cents = 1 + chance.below(MAX_CENTS);
    if (throughProcessor) {
      const event = paymentEvent({ account: program.account as string, intent: id, cents }, customerKey);
      if (!(await this.deliver(event))) return;
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
    const before = refundedBy(sale);
    const id = this.#newId('refund');
    const answer = await this.#sendRefund(sale, id, amount);
    if (answer.status !== 200) return this.#report(`refund of ${sale.id}`, answer);
    sale.refunds.push({ id, cents });
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
    const one = { id: this.#newId('refund'), cents: 1 + chance.below(restOf(sale) - 1) };
    const other = { id: this.#newId('refund'), cents: 1 + chance.below(restOf(sale) - one.cents) };
    const refunds = [one, other];
    const answers = await Promise.all(refunds.map(({ id, cents }) => this.#sendRefund(sale, id, cents)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) {
        this.#report(`refund of ${sale.id}`, answer);
        continue;
      }
      sale.refunds.push(refunds[index] as Refund);
      this.refunds += 1;
    }
  }

  async #refundTooMuch(sale: OpenSale): Promise<void> {
    const answer = await this.#sendRefund(sale, this.#newId('refund'), restOf(sale) + 1);
    if (answer.status !== 400) this.#report(`too large refund of ${sale.id}`, answer);
  }

  async #refundAtProcessor(chance: Chance, sale: OpenSale): Promise<void> {
    const left = sale.cents - (sale.processorRefunded ?? 0);
    if (left === 0) return;
    const total = (sale.processorRefunded ?? 0) + 1 + chance.below(left);
    const { account } = sale.program;
    const event = refundEvent({ account: account as string, intent: sale.id, cents: sale.cents }, total);
    if (!(await this.deliver(event))) return;
    sale.processorRefunded = total;
    this.refunds += 1;
    // Totals of the same second have no order.
    sale.openAt = performance.now() + 2_000;
  }

  #sendRefund(sale: OpenSale, id: string, amount: number | null): Promise<Answer> {
    const body = { transaction_id: sale.id, refund_id: id, ...(amount && { refund_amount_cents: amount }) };
    return this.#resend(() => this.sender.post('refund', body, sale.program.apiKey));
  }

  /** As a careful shop does: what was not answered, or not carried out, is sent again. */
  async #resend(send: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send();
      const isLast = this.#isAbandoned || attempt === this.#options.resends;
      if (!isUnknown(answer) || isLast) return { ...answer, wasResent: attempt > 0 };
      this.resent += 1;
      await sleep(RESEND_MS);
    }
  }

  #report(what: string, { status, body }: Answer): void {
    if (this.#isAbandoned) return;
    this.wrongAnswers.push(`${what}: answered ${status} ${JSON.stringify(body)}`);
  }

  #newId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}_${this.#options.seed}_${this.#lastId}`;
  }
}
