import { Chance, findXmlSchema } from '@svc/testkit';
import { describe, expect, it } from 'vitest';
import { checkNacha } from './check-nacha.ts';
import { checkPayoutsCsv } from './check-payouts-csv.ts';
import { checkPaypal } from './check-paypal.ts';
import { checkSepa } from './check-sepa.ts';
import { checkWise } from './check-wise.ts';
import { type MadeFiles, makeFiles, type PaymentFile } from './make-files.ts';
import type { Destination, FileRun, Payer, PayoutItem } from './payout-item.ts';

const RUNS = process.env.SVC_TEST_LONG ? 2_000 : 300;

const schema = findXmlSchema('pain.001.001.09');
const missing = 'missing' in schema ? schema.missing : null;
if (missing) console.warn(`Skipped: ${missing}.`);

const LATIN_NAMES = [
  'Juan Núñez',
  "Siobhán O'Brien",
  'Łukasz Żółć',
  'Þórður Æsirsson',
  'Straße & Söhne KG',
  'İpek Yıldız',
];
const READABLE_NAMES = [
  'Жуков, Иван',
  'Ђорђе Љубић',
  'Γιώργος Παπαδόπουλος',
  'ＡＣＭＥ Ltd',
  'a'.repeat(90),
  'Zoë “Z” 🙂',
];
const UNREADABLE_NAMES = ['王小明', 'Anna 王', 'محمد', 'สมชาย', 'שרה', '김철수', '🙂', ' '];
const NOTES = ['', 'Commissions', '=1+1', 'Provisionen für März', '十月', 'x'.repeat(500), 'a "b", c\r\nd', '//a'];
const ROUTING_NUMBERS = ['021000021', '121000248', '011401533', '322271627'];
const SEPA_IBANS = { DE: 18, AT: 16, LT: 16, CH: 17, MD: 20 };

/** What the drawn payout is expected to become. */
type Drawn = { item: PayoutItem; isCarried: boolean };

const digits = (chance: Chance, length: number) => Array.from({ length }, () => chance.below(10)).join('');

/** An IBAN with its two check digits, computed here. */
function ibanOf(country: string, account: string): string {
  const code = [...country].map((letter) => letter.charCodeAt(0) - 55).join('');
  const check = 98n - (BigInt(`${account}${code}00`) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

const oneOff = (text: string) => text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

/** Draws a destination, the currency and country that go with it, and whether a file can carry it. */
function drawDestination(
  chance: Chance,
  kind: Destination['kind'],
  payer: Payer,
): { destination: Destination; currency: string; country: string; isCarried: boolean } {
  const isWrong = chance.happens(0.15);
  switch (kind) {
    case 'paypal':
    case 'wise': {
      const currency = chance.pick(isWrong ? ['KWD', 'XOF'] : ['USD', 'EUR', 'JPY', 'HUF', 'GBP']);
      const email = chance.pick(['juan@example.com', "o'brien@example.com", '+tag@example.com', '=a@example.com']);
      return { destination: { kind, email }, currency, country: 'DE', isCarried: !isWrong };
    }
    case 'iban': {
      const [country = '', length = 0] = chance.pick(Object.entries({ ...SEPA_IBANS, ...(isWrong ? { AE: 19 } : {}) }));
      const right = ibanOf(country, digits(chance, length));
      const iban = isWrong && country !== 'AE' ? oneOff(right) : right;
      const bic = chance.happens(0.3) ? 'COBADEFFXXX' : undefined;
      const isCarried = !isWrong && payer.iban !== undefined;
      return { destination: { kind, iban, bic }, currency: 'EUR', country, isCarried };
    }
    case 'us_bank': {
      const right = chance.pick(ROUTING_NUMBERS);
      const routing_number = isWrong ? oneOff(right) : right;
      const account_number = digits(chance, 4 + chance.below(14));
      const account_type = chance.pick(['checking', 'savings'] as const);
      const isCarried = !isWrong && payer.ach !== undefined;
      return {
        destination: { kind, routing_number, account_number, account_type },
        currency: 'USD',
        country: 'US',
        isCarried,
      };
    }
    case 'other':
      return { destination: { kind, text: '=by hand' }, currency: 'KWD', country: 'KW', isCarried: false };
  }
}

function drawItem(chance: Chance, payoutId: number, kind: Destination['kind'], payer: Payer): Drawn {
  const { destination, currency, country, isCarried } = drawDestination(chance, kind, payer);
  const names = chance.pick([LATIN_NAMES, LATIN_NAMES, LATIN_NAMES, READABLE_NAMES, UNREADABLE_NAMES]);
  const holderName = chance.pick(names);
  const needsLatin = kind === 'iban' || kind === 'us_bank';
  const isNamed = kind === 'wise' ? /[\p{L}]/u.test(holderName) : !needsLatin || names !== UNREADABLE_NAMES;
  const amountCents = chance.happens(0.05) ? 99_999_999 : 1 + chance.below(1_000_000);
  const isWhole = kind !== 'paypal' || currency !== 'HUF' || amountCents % 100 === 0;
  return {
    item: {
      endToEndId: `P${payoutId}`,
      amountCents,
      currency,
      destination,
      holderName,
      holderKind: chance.pick(['person', 'company'] as const),
      country,
      partnerId: payoutId,
      partnerName: chance.pick([...LATIN_NAMES, ...UNREADABLE_NAMES]),
      note: chance.pick(NOTES),
    },
    isCarried: isCarried && isNamed && isWhole,
  };
}

const KINDS = ['paypal', 'wise', 'iban', 'us_bank', 'other'] as const;

/** Most runs are small. Some have one row more than a file of one kind holds. */
function drawRun(seed: number): { drawn: Drawn[]; payer: Payer; run: FileRun } {
  const chance = new Chance(seed);
  const isRich = chance.happens(0.9);
  const ach = {
    company_id: '123456789',
    company_name: 'Acmé & Co',
    odfi_routing: '121000248',
    destination_name: 'Bank',
  };
  const payer: Payer = {
    name: chance.pick(['Acme Tools', 'Müller & Söhne', 'Жуков']),
    paypal_decimal: chance.pick(['.', ',', undefined] as const),
    ...(isRich ? { iban: ibanOf('DE', digits(chance, 18)), ach } : {}),
    ...(chance.happens(0.5) ? { bic: 'COBADEFF' } : {}),
  };
  const first = 1 + chance.below(1_000_000_000);
  const drawn = Array.from({ length: chance.below(12) }, (_, index) =>
    drawItem(chance, first + index, chance.pick(KINDS), payer),
  );
  const run = { runNumber: 1 + seed, programName: 'Café', at: new Date(Date.UTC(2026, 0, 1) + chance.below(1e11)) };
  return { drawn, payer, run };
}

const text = ({ bytes }: PaymentFile) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The ids and amounts in the text of a file, found by its look and not by any code of the service. */
function paymentsIn(file: PaymentFile): string[] {
  const found = {
    'paypal.csv': () =>
      [...text(file).matchAll(/^[^,]*,"?([\d.,]+?)"?,([A-Z]{3}),(P\d+),/gm)].map(
        ([, amount = '', currency, id]) => `${id} ${amount.replace(/[.,]/, '')}${currency === 'HUF' ? '00' : ''}`,
      ),
    'wise.csv': () =>
      [...text(file).matchAll(/,(P\d+),(?:PRIVATE|BUSINESS),target,([\d.]+),/g)].map(
        ([, id, amount = '']) => `${id} ${amount.replace('.', '')}`,
      ),
    'sepa.xml': () =>
      [...text(file).matchAll(/<EndToEndId>(P\d+)<.*\n<Amt><InstdAmt Ccy="EUR">([\d.]+)</g)].map(
        ([, id, amount = '']) => `${id} ${amount.replace('.', '')}`,
      ),
    'nacha.txt': () => [...text(file).matchAll(/^6.{28}(\d{10})(P\d+)/gm)].map(([, amount, id]) => `${id} ${amount}`),
    'payouts.csv': () =>
      [...text(file).matchAll(/^(P\d+),\d+,(?:"[^"]*"|[^",]*),[\d.]+,(\d+),/gm)].map(
        ([, id, cents]) => `${id} ${cents}`,
      ),
  }[file.name];
  return found().map((line) => line.replace(/ 0+(?=\d)/, ' '));
}

const check = (file: PaymentFile, { paypal_decimal }: Payer) =>
  ({
    'paypal.csv': () => checkPaypal(file.bytes, paypal_decimal),
    'wise.csv': () => checkWise(file.bytes),
    'sepa.xml': () => checkSepa(file.bytes),
    'nacha.txt': () => checkNacha(file.bytes),
    'payouts.csv': () => checkPayoutsCsv(file.bytes),
  })[file.name]().problems;

const lineOf = ({ item }: Drawn) => `${item.endToEndId} ${item.amountCents}`;
const sumOf = (lines: string[]) => lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);

/** Every payout once in the files it belongs to, with its amount, or named as not carried; and the sums agree. */
function expectExactlyOnce({ files, notCarried }: MadeFiles, drawn: Drawn[]): void {
  const inFiles = files.filter(({ name }) => name !== 'payouts.csv').map((file) => ({ file, lines: paymentsIn(file) }));
  expect(inFiles.flatMap(({ lines }) => lines).sort()).toEqual(
    drawn
      .filter(({ isCarried }) => isCarried)
      .map(lineOf)
      .sort(),
  );
  expect(notCarried.map(({ endToEndId }) => endToEndId).sort()).toEqual(
    drawn
      .filter(({ isCarried, item }) => !isCarried && item.destination.kind !== 'other')
      .map(({ item }) => item.endToEndId)
      .sort(),
  );
  for (const { file, lines } of inFiles) {
    expect({ rows: file.rows, totalCents: file.totalCents }).toEqual({ rows: lines.length, totalCents: sumOf(lines) });
  }
  const forPeople = files.filter(({ name }) => name === 'payouts.csv').flatMap(paymentsIn);
  expect(forPeople).toEqual(drawn.map(lineOf));
}

/** Widths, counts and hashes as Nacha describes them, computed from the lines. */
function expectNacha(file: PaymentFile): void {
  const lines = text(file).split('\r\n').slice(0, -1);
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([94]));
  expect(lines.length % 10).toBe(0);
  const entries = lines.filter((line) => line.startsWith('6'));
  const hash = entries.reduce((sum, line) => sum + BigInt(line.slice(3, 11)), 0n) % 10_000_000_000n;
  const credit = entries.reduce((sum, line) => sum + BigInt(line.slice(29, 39)), 0n);
  const control = lines.find((line) => /^9000/.test(line)) ?? '';
  expect(control.slice(0, 55)).toBe(
    `9${String(lines.filter((line) => line.startsWith('5')).length).padStart(6, '0')}` +
      `${String(lines.length / 10).padStart(6, '0')}${String(entries.length).padStart(8, '0')}` +
      `${String(hash).padStart(10, '0')}000000000000${String(credit).padStart(12, '0')}`,
  );
}

describe(`${RUNS} generated runs`, () => {
  const made = Array.from({ length: RUNS }, (_, seed) => {
    const { drawn, payer, run } = drawRun(seed);
    const items = drawn.map(({ item }) => item);
    return { drawn, payer, run, items, result: makeFiles(items, payer, run) };
  });
  const files = made.flatMap(({ result }) => result.files);
  const filesOf = (name: PaymentFile['name']) => files.filter((file) => file.name === name);

  it('have files of every kind', () => {
    const counts = (['paypal.csv', 'wise.csv', 'sepa.xml', 'nacha.txt'] as const).map((name) => filesOf(name).length);
    expect(Math.min(...counts)).toBeGreaterThan(RUNS / 4);
  });

  it('hold every payout exactly once, and sum up to the cent', () => {
    for (const { result, drawn } of made) expectExactlyOnce(result, drawn);
  });

  it('pass their own checkers', () => {
    for (const { result, payer } of made) {
      expect(result.files.flatMap((file) => check(file, payer))).toEqual([]);
    }
  });

  it('give the same bytes again', () => {
    const readable = ({ files, ...rest }: MadeFiles) => ({
      files: files.map((file) => ({ ...file, bytes: text(file) })),
      ...rest,
    });
    for (const { result, items, payer, run } of made.slice(0, 200)) {
      const again = makeFiles(structuredClone(items), structuredClone(payer), structuredClone(run));
      expect(readable(again)).toEqual(readable(result));
    }
  });

  it('have ACH lines of 94 characters, whose hashes agree', () => {
    for (const file of filesOf('nacha.txt')) expectNacha(file);
  });

  it('never have an apostrophe for spreadsheets in a file for a bank', () => {
    const forBanks = files.filter(({ name }) => name !== 'payouts.csv');
    expect(forBanks.filter((file) => /(^|,|"|>)'[=+\-@]/m.test(text(file)))).toEqual([]);
  });

  it('list what is spelled differently, and nothing else', () => {
    for (const { result } of made) {
      expect(result.spellings.filter(({ from, to }) => from === to || /[^a-zA-Z0-9/\-?:().,'+& ]/.test(to))).toEqual(
        [],
      );
    }
  });

  it.skipIf(missing)(
    `have SEPA files that the official schema accepts${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      if ('missing' in schema) return;
      expect(schema.validate(filesOf('sepa.xml').map(({ bytes }) => bytes))).toEqual(new Map());
    },
  );
});

it.each([
  ['paypal', 'paypal.csv', 5_000],
  ['wise', 'wise.csv', 1_000],
  ['iban', 'sepa.xml', 5_000],
  ['us_bank', 'nacha.txt', 5_000],
] as const)('payouts by %s that one file does not hold are in several', (kind, name, size) => {
  const { payer, run } = drawRun(1);
  const ach = { company_id: '123456789', company_name: 'Acme', odfi_routing: '121000248', destination_name: 'Bank' };
  const paying: Payer = { ...payer, iban: 'DE89370400440532013000', ach };
  const template = (() => {
    for (let seed = 0; ; seed++) {
      const { item, isCarried } = drawItem(new Chance(seed), 1, kind, paying);
      if (isCarried) return item;
    }
  })();
  const drawn = Array.from({ length: size + 1 }, (_, index) => ({
    item: { ...template, endToEndId: `P${index + 1}` },
    isCarried: true,
  }));
  const result = makeFiles(
    drawn.map(({ item }) => item),
    paying,
    run,
  );
  const parts = result.files.filter((file) => file.name === name);
  expect(parts.map(({ part, rows }) => [part, rows])).toEqual([
    [1, size],
    [2, 1],
  ]);
  expectExactlyOnce(result, drawn);
});

describe('what a partner or a brand may be called does not stop the others from being paid', () => {
  const ach = { company_id: '123456789', company_name: 'Acme', odfi_routing: '121000248', destination_name: 'Bank' };
  const payer: Payer = { name: 'Acme', iban: 'DE89370400440532013000', ach };
  const run: FileRun = { runNumber: 1, programName: 'Acme', at: new Date('2026-11-18T06:00:00Z') };
  const destinations: Record<string, Destination> = {
    paypal: { kind: 'paypal', email: 'jane@example.com' },
    wise: { kind: 'wise', email: 'jane@example.com' },
    iban: { kind: 'iban', iban: 'DE89370400440532013000' },
    us_bank: { kind: 'us_bank', routing_number: '021000021', account_number: '123456', account_type: 'checking' },
  };
  const itemTo = (kind: string, id: number, more: Partial<PayoutItem>): PayoutItem => ({
    endToEndId: `P${id}`,
    amountCents: 1_234,
    currency: kind === 'iban' ? 'EUR' : 'USD',
    destination: destinations[kind] as Destination,
    partnerId: id,
    partnerName: 'Jane',
    note: 'Acme payout 1',
    holderName: 'Jane Doe',
    holderKind: 'person',
    country: kind === 'us_bank' ? 'US' : 'DE',
    ...more,
  });
  const STARTS = [
    "'=",
    "''+",
    "' =",
    "'@",
    '=',
    '+',
    '-',
    '@',
    '/',
    '//',
    ')',
    '(',
    ',',
    ', ',
    '.',
    '&',
    '_',
    '~',
    ']',
  ];

  it.each(Object.keys(destinations))('by %s', (kind) => {
    const items = STARTS.map((start, index) => {
      const text = `${start}Jane`;
      return itemTo(kind, index + 1, { holderName: text, partnerName: text, note: text });
    });
    const { files, notCarried } = makeFiles(items, payer, run);
    expect(notCarried).toEqual([]);
    expect(files.map(({ rows }) => rows)).toEqual([STARTS.length, STARTS.length]);
  });

  it('the name that an ACH file begins differently is shown before', () => {
    const { spellings } = makeFiles([itemTo('us_bank', 1, { holderName: '- Jane Doe' })], payer, run);
    expect(spellings).toEqual([{ endToEndId: 'P1', field: 'holder_name', from: '- Jane Doe', to: 'JANE DOE' }]);
  });
});
