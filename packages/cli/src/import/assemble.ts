import { MAX_ROW_CUSTOMERS, MAX_ROW_LINKS, withoutWww } from '@svc/contract';
import { prune } from './prune.ts';
import type { Earning, LeftOut, ReadCustomer, Reading, ReadLink } from './reading.ts';
import type { Balance, Row } from './row.ts';

/** What will be sent, and what its owner should know before. */
export type Assembled = {
  rows: Row[];
  partners: number;
  /** Addresses that partners have published, and whom they are to credit. */
  addresses: Address[];
  coupons: { code: string; email: string }[];
  customers: number;
  /** Partners that the tool has more than once. They become one. */
  twice: { email: string; ids: string[] }[];
  /** Codes that two partners have. The first one keeps it. */
  clashes: { code: string; keeps: string; loses: string }[];
  totals: Balance[];
  leftOut: LeftOut[];
};

type Address = { parameter: string; code: string; email: string; address?: string | undefined };

type Partner = { row: Row };

/** Puts what was read together, one row per partner. What clashes, repeats or belongs to nobody is said instead of sent. */
export function assemble(reading: Reading, domain: string): Assembled {
  const leftOut = [...reading.leftOut];
  const { byId, byEmail, twice } = partnersOf(reading, leftOut);
  const ownerOf = (partnerId: string | null) => byId.get(partnerId ?? '');
  const { addresses, clashes } = addLinks(reading.links, ownerOf, domain);
  const coupons = addCoupons(reading, ownerOf, clashes);
  const customers = addCustomers(reading.customers, ownerOf, leftOut);
  const totals = addBalances(reading.earnings, ownerOf, leftOut);
  const rows = [...byEmail.values()].flatMap(({ row }) => split(row)).flatMap((row) => prune(row, leftOut));
  return { rows, partners: byEmail.size, addresses, coupons, customers, twice, clashes, totals, leftOut };
}

type OwnerOf = (partnerId: string | null) => Partner | undefined;

function partnersOf({ partners }: Reading, leftOut: LeftOut[]) {
  const byId = new Map<string, Partner>();
  const byEmail = new Map<string, Partner>();
  const ids = new Map<string, string[]>();
  for (const { id, email: sent, name } of partners) {
    const email = sent.trim();
    if (!email) {
      leftOut.push({ kind: 'partner', id, reason: 'the partner has no email address' });
      continue;
    }
    const key = email.toLowerCase();
    const row = { partner: { email, name, external_id: id }, links: [], coupons: [], customers: [], balances: [] };
    const partner = byEmail.get(key) ?? { row };
    byEmail.set(key, partner);
    byId.set(id, partner);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  const twice = [...ids].filter(([, own]) => own.length > 1).map(([email, own]) => ({ email, ids: own }));
  return { byId, byEmail, twice };
}

function addLinks(links: ReadLink[], ownerOf: OwnerOf, domain: string) {
  const addresses: Address[] = [];
  const clashes: Assembled['clashes'] = [];
  const taken = new Map<string, Partner>();
  for (const link of links) {
    const partner = ownerOf(link.partnerId);
    // The partner is said to be left out already.
    if (!partner) continue;
    const { email } = partner.row.partner;
    const { parameter, code, address } = link;
    const holder = taken.get(code);
    if (holder && holder !== partner) {
      clashes.push({ code, keeps: holder.row.partner.email, loses: email });
      continue;
    }
    addresses.push({ parameter, code, email, address });
    if (holder) continue;
    taken.set(code, partner);
    const destination = destinationOf(link, domain);
    partner.row.links.push({ parameter, code, ...(destination && { destination_url: destination }) });
  }
  return {
    addresses: onceEach(addresses, (each) => `${each.parameter}\n${each.code}\n${each.address ?? ''}`),
    clashes,
  };
}

/** Where the link leads on the program’s own site; undefined for its start page and for other sites. */
function destinationOf({ address, destination, parameter }: ReadLink, domain: string): string | undefined {
  const text = destination ?? address;
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const site = withoutWww(domain);
  const host = withoutWww(url.hostname);
  if (!/^https?:$/.test(url.protocol) || (host !== site && !host.endsWith(`.${site}`))) return undefined;
  url.searchParams.delete(parameter);
  const isStart = host === site && url.pathname === '/' && url.search === '' && url.hash === '';
  return isStart ? undefined : `https://${url.host}${url.pathname}${url.search}${url.hash}`;
}

function addCoupons({ coupons }: Reading, ownerOf: OwnerOf, clashes: Assembled['clashes']): Assembled['coupons'] {
  const taken = new Map<string, Partner>();
  const added: Assembled['coupons'] = [];
  for (const { partnerId, code } of coupons) {
    const partner = ownerOf(partnerId);
    if (!partner) continue;
    const key = code.trim().toLowerCase();
    const holder = taken.get(key);
    if (holder && holder !== partner) {
      clashes.push({ code, keeps: holder.row.partner.email, loses: partner.row.partner.email });
    }
    if (holder) continue;
    taken.set(key, partner);
    partner.row.coupons.push(code);
    added.push({ code, email: partner.row.partner.email });
  }
  return added;
}

function addCustomers(customers: ReadCustomer[], ownerOf: OwnerOf, leftOut: LeftOut[]): number {
  const taken = new Map<string, Partner>();
  for (const { partnerId, id, processorId, email, firstSeenAt } of customers) {
    const partner = ownerOf(partnerId);
    const holder = taken.get(id);
    const refuse = (reason: string) => leftOut.push({ kind: 'customer', id, reason });
    if (!partnerId) refuse('the customer has no partner');
    else if (!partner) refuse('the customer’s partner is not taken over');
    else if (holder && holder !== partner) refuse('the customer belongs to another partner too');
    else if (!holder) {
      taken.set(id, partner);
      partner.row.customers.push({
        external_id: id,
        ...(processorId && { processor_customer_id: processorId }),
        ...(email && { email }),
        ...(firstSeenAt && { first_seen_at: firstSeenAt }),
      });
    }
  }
  return taken.size;
}

const FIELDS = { pending: 'pending_cents', approved: 'approved_cents', paid: 'paid_cents' } as const;

/** Adds up what each partner has earned. Returns the totals of what is sent. */
function addBalances(earnings: Earning[], ownerOf: OwnerOf, leftOut: LeftOut[]): Balance[] {
  const byPartner = new Map<Partner, Map<string, Balance>>();
  for (const { partnerId, id, state, currency, cents } of earnings) {
    const partner = ownerOf(partnerId);
    if (!partner) {
      const reason = partnerId ? 'the commission’s partner is not taken over' : 'the commission has no partner';
      leftOut.push({ kind: 'commission', id, reason });
      continue;
    }
    const balances = byPartner.get(partner) ?? new Map<string, Balance>();
    byPartner.set(partner, balances);
    add(balances, currency)[FIELDS[state]] += cents;
  }
  const totals = new Map<string, Balance>();
  for (const [partner, balances] of byPartner) {
    for (const balance of balances.values()) {
      const { email } = partner.row.partner;
      const negative = Object.values(FIELDS).find((field) => balance[field] < 0);
      if (negative) {
        const reason = `more ${negative.replace('_cents', '')} was taken back than earned in ${balance.currency}: settle it in the other tool`;
        leftOut.push({ kind: 'commission', id: email, reason });
        continue;
      }
      partner.row.balances.push(balance);
      const total = add(totals, balance.currency);
      for (const field of Object.values(FIELDS)) total[field] += balance[field];
    }
  }
  return [...totals.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

function add(balances: Map<string, Balance>, currency: string): Balance {
  const balance = balances.get(currency) ?? { currency, pending_cents: 0, approved_cents: 0, paid_cents: 0 };
  balances.set(currency, balance);
  return balance;
}

/** A partner with more than a row holds gets more rows. Amounts are only in the first, so that they count once. */
function split(row: Row): Row[] {
  const count = Math.max(
    1,
    Math.ceil(row.links.length / MAX_ROW_LINKS),
    Math.ceil(row.customers.length / MAX_ROW_CUSTOMERS),
  );
  return Array.from({ length: count }, (_, index) => ({
    partner: row.partner,
    links: row.links.slice(index * MAX_ROW_LINKS, (index + 1) * MAX_ROW_LINKS),
    coupons: index === 0 ? row.coupons : [],
    customers: row.customers.slice(index * MAX_ROW_CUSTOMERS, (index + 1) * MAX_ROW_CUSTOMERS),
    balances: index === 0 ? row.balances : [],
  }));
}

function onceEach<Item>(items: Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
