/**
 * What brands owe and pay, written independently of the service: lists of what happened, and sums over them. It knows the rules of
 * payout runs, and nothing of how the service keeps them.
 */

export type Kind = 'paypal' | 'iban' | 'us_bank' | 'other';
type Method = { version: number; kind: Kind; usableFrom: number };
type Partner = { id: number; isActive: boolean; method: Method | null };
type Earning = {
  id: number;
  partner: number;
  currency: string;
  cents: number;
  takenBack: number;
  approvedAt: number | null;
  isRejected: boolean;
};
type PayoutState = 'open' | 'sent' | 'paid' | 'failed' | 'returned' | 'cancelled';
export type ModelPayout = {
  id: number;
  run: number | null;
  partner: number;
  currency: string;
  parts: { earning: number; cents: number }[];
  status: PayoutState;
  method: number | null;
  isInFile: boolean;
};
type RunState = 'draft' | 'approved' | 'sent' | 'settled' | 'cancelled';
export type ModelRun = { id: number; number: number; status: RunState; maker: string; twoPersons: boolean };

export type RunWish = { cutoff?: number; currency?: string; partners?: number[]; excluded?: number[] };
export type Outcome = {
  status: number;
  paid?: Record<string, number>;
  leftOut?: Record<string, string>;
  ids?: number[];
};
export type Settling = { id: number; status: 'paid' | 'failed' | 'returned' };

const HOURS = 3_600_000;
/** Payouts in these states hold what they are made of. What is in others is due again. */
const HOLDING: PayoutState[] = ['open', 'sent', 'paid'];
/** The payer of the test has no IBAN, so that no file holds what is paid to one. */
const IN_FILE: Record<Kind, boolean> = { paypal: true, us_bank: true, other: true, iban: false };
const PAYS: Record<Kind, string[]> = { paypal: ['EUR', 'USD'], iban: ['EUR'], us_bank: ['USD'], other: ['EUR', 'USD'] };

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const keyOf = (partner: number, currency: string) => `${partner} ${currency}`;

export class MoneyOut {
  now = 0;
  partners: Partner[] = [];
  earnings: Earning[] = [];
  payouts: ModelPayout[] = [];
  runs: ModelRun[] = [];
  minimum: Record<string, number> = {};
  netDays = 0;
  twoPersons = false;
  methods = 0;

  copy(): MoneyOut {
    return Object.assign(new MoneyOut(), structuredClone({ ...this }));
  }

  // What is due

  holding(earning: number): number {
    const live = this.payouts.filter(({ status }) => HOLDING.includes(status));
    return sum(live.flatMap(({ parts }) => parts.filter((part) => part.earning === earning).map(({ cents }) => cents)));
  }

  due({ id, cents, takenBack, approvedAt, isRejected }: Earning): number {
    const worth = approvedAt === null || isRejected ? 0 : cents - takenBack;
    return worth - this.holding(id);
  }

  of(partner: number, currency: string): Earning[] {
    return this.earnings.filter((earning) => earning.partner === partner && earning.currency === currency);
  }

  /** What a partner has in a currency: paid, on its way, due, and carried because more was taken back than is due. */
  balance(partner: number, currency: string) {
    const dues = this.of(partner, currency).map((earning) => this.due(earning));
    const own = this.payouts.filter((payout) => payout.partner === partner && payout.currency === currency);
    const inState = (...states: PayoutState[]) =>
      sum(own.filter(({ status }) => states.includes(status)).map((payout) => this.amount(payout)));
    return {
      paid: inState('paid'),
      underWay: inState('open', 'sent'),
      due: sum(dues.filter((cents) => cents > 0)),
      carried: sum(dues.filter((cents) => cents < 0)),
    };
  }

  amount({ parts }: ModelPayout): number {
    return sum(parts.map(({ cents }) => cents));
  }

  /** What was earned and not taken back is paid, on its way, or due. */
  conserves(partner: number, currency: string): boolean {
    const { paid, underWay, due, carried } = this.balance(partner, currency);
    const worth = this.of(partner, currency).map(({ approvedAt, isRejected, cents, takenBack }) =>
      approvedAt === null || isRejected ? 0 : cents - takenBack,
    );
    return sum(worth) === paid + underWay + due + carried;
  }

  // What happens to earnings

  approveEarning(id: number): void {
    const earning = this.earning(id);
    if (earning.isRejected || earning.approvedAt !== null || earning.takenBack === earning.cents) return;
    earning.approvedAt = this.now;
  }

  canReject(id: number): boolean {
    const { isRejected } = this.earning(id);
    return !isRejected && this.holding(id) === 0;
  }

  earning(id: number): Earning {
    return this.earnings.find((earning) => earning.id === id) as Earning;
  }

  // Methods

  setMethod(partner: Partner, kind: Kind, isHeld: boolean): void {
    this.methods += 1;
    partner.method = { version: this.methods, kind, usableFrom: this.now + (isHeld ? 72 * HOURS : 0) };
  }

  // Runs

  make(wish: RunWish, maker: string): Outcome {
    const cutoff = wish.cutoff ?? this.now - this.netDays * 24 * HOURS;
    const leftOut: Record<string, string> = {};
    const chosen: { partner: Partner; currency: string; parts: ModelPayout['parts'] }[] = [];
    for (const partner of this.partners) {
      if (wish.partners && !wish.partners.includes(partner.id)) continue;
      for (const currency of ['EUR', 'USD']) {
        if (wish.currency && wish.currency !== currency) continue;
        const parts = this.of(partner.id, currency)
          .map((earning) => ({ earning, cents: this.due(earning) }))
          .filter(({ earning, cents }) => cents < 0 || (cents > 0 && (earning.approvedAt ?? 0) <= cutoff))
          .map(({ earning, cents }) => ({ earning: earning.id, cents }));
        const cents = sum(parts.map((part) => part.cents));
        if (cents === 0) continue;
        const reason = this.reasonAgainst(partner, currency, cents, wish.excluded ?? []);
        if (reason) leftOut[keyOf(partner.id, currency)] = `${cents} ${reason}`;
        else chosen.push({ partner, currency, parts });
      }
    }
    if (chosen.length === 0) return { status: 409, leftOut };
    const run = this.runs.length + 1;
    this.runs.push({ id: 0, number: run, status: 'draft', maker, twoPersons: this.twoPersons });
    for (const { partner, currency, parts } of chosen) {
      const method = partner.method?.version ?? null;
      this.payouts.push({ id: 0, run, partner: partner.id, currency, parts, status: 'open', method, isInFile: true });
    }
    return { status: 201, paid: this.amounts(run), leftOut };
  }

  private amounts(run: number): Record<string, number> {
    const own = this.payouts.filter((payout) => payout.run === run);
    return Object.fromEntries(own.map((payout) => [keyOf(payout.partner, payout.currency), this.amount(payout)]));
  }

  private reasonAgainst(partner: Partner, currency: string, cents: number, excluded: number[]): string | null {
    const { method } = partner;
    if (excluded.includes(partner.id) || !partner.isActive) return 'excluded';
    if (cents < 0) return 'negative_balance';
    if (!method) return 'no_method';
    if (method.usableFrom > this.now) return 'method_held';
    if (!PAYS[method.kind].includes(currency)) return 'currency_not_payable';
    return cents < (this.minimum[currency] ?? 0) ? 'below_minimum' : null;
  }

  run(number: number): ModelRun {
    return this.runs[number - 1] as ModelRun;
  }

  payoutsOf(number: number): ModelPayout[] {
    return this.payouts.filter(({ run }) => run === number);
  }

  approve(number: number, by: string): Outcome {
    const run = this.run(number);
    if (run.status !== 'draft') return { status: 409 };
    if ((run.twoPersons || this.twoPersons) && run.maker === by) return { status: 403 };
    const own = this.payoutsOf(number);
    const isStale = own.some(({ partner: id, currency, method }) => {
      const partner = this.partners.find((each) => each.id === id) as Partner;
      const owes = this.of(id, currency).some((earning) => this.due(earning) < 0);
      const isHeld = (partner.method?.usableFrom ?? 0) > this.now;
      return owes || !partner.isActive || partner.method?.version !== method || isHeld;
    });
    if (isStale) return { status: 409 };
    run.status = 'approved';
    for (const payout of own) {
      const partner = this.partners.find(({ id }) => id === payout.partner) as Partner;
      payout.isInFile = IN_FILE[(partner.method as Method).kind];
    }
    return { status: 200 };
  }

  cancel(number: number): Outcome {
    const run = this.run(number);
    const own = this.payoutsOf(number);
    if (run.status !== 'draft' && run.status !== 'approved') return { status: 409 };
    if (own.some(({ status }) => status === 'paid')) return { status: 409 };
    run.status = 'cancelled';
    for (const payout of own) if (payout.status === 'open') payout.status = 'cancelled';
    return { status: 200 };
  }

  send(number: number): Outcome {
    const run = this.run(number);
    if (run.status !== 'approved') return { status: 409 };
    run.status = 'sent';
    for (const payout of this.payoutsOf(number)) {
      if (payout.status === 'open' && payout.isInFile) payout.status = 'sent';
    }
    this.settleIfDone(number);
    return { status: 200 };
  }

  settle(number: number, items: Settling[]): Outcome {
    const run = this.run(number);
    if (run.status !== 'sent' && run.status !== 'settled') return { status: 409 };
    if (items.length === 0) return { status: 409 };
    const own = this.payoutsOf(number);
    const found = items.map(({ id, status }) => ({ payout: own.find((payout) => payout.id === id), to: status }));
    if (found.some(({ payout, to }) => !payout || !this.canSettle(payout, to))) return { status: 409 };
    for (const { payout, to } of found) (payout as ModelPayout).status = to;
    this.settleIfDone(number);
    return { status: 200 };
  }

  private canSettle({ status, isInFile }: ModelPayout, to: Settling['status']): boolean {
    if (status === 'sent') return true;
    if (status === 'paid') return to === 'returned';
    return status === 'open' && !isInFile && to !== 'returned';
  }

  settleIfDone(number: number): void {
    const run = this.run(number);
    const isDone = this.payoutsOf(number).every(({ status }) => status !== 'open' && status !== 'sent');
    if (run.status === 'sent' && isDone) run.status = 'settled';
  }

  // Payouts without a run

  payOut(): Outcome {
    const paid: Record<string, number> = {};
    for (const { id, isActive } of this.partners) {
      for (const currency of ['EUR', 'USD']) {
        const parts = this.of(id, currency)
          .map((earning) => ({ earning: earning.id, cents: this.due(earning) }))
          .filter(({ cents }) => cents !== 0);
        const cents = sum(parts.map((part) => part.cents));
        if (!isActive || cents <= 0) continue;
        paid[keyOf(id, currency)] = cents;
        const plain = { id: 0, run: null, partner: id, currency, method: null, isInFile: true } as const;
        this.payouts.push({ ...plain, parts, status: 'open' });
      }
    }
    return { status: 201, paid };
  }

  close(id: number, to: 'paid' | 'failed' | 'cancelled'): Outcome {
    const payout = this.payouts.find((each) => each.id === id) as ModelPayout;
    const from = { paid: ['open', 'sent'], failed: ['open', 'sent', 'paid'], cancelled: ['open'] }[to];
    const run = payout.run === null ? null : this.run(payout.run);
    const isHeldByFile = run?.status === 'approved' && payout.status === 'open' && payout.isInFile;
    const isBarred = run !== null && (run.status === 'draft' || to === 'cancelled' || isHeldByFile);
    if (!from.includes(payout.status) || isBarred) return { status: 409 };
    payout.status = to;
    if (payout.run !== null) this.settleIfDone(payout.run);
    return { status: 200 };
  }
}
