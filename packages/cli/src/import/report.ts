import { currencyExponent, formatDecimal } from '@svc/contract';
import { table } from '../output.ts';
import type { Assembled } from './assemble.ts';
import type { LeftOut } from './reading.ts';
import type { Balance } from './row.ts';
import type { Sent } from './send-rows.ts';

/** What an import would do or did, for people and as JSON. */
export type Report = {
  source: string;
  title: string;
  read_at: string;
  partners: number;
  links: number;
  coupons: number;
  customers: number;
  totals: Balance[];
  twice: Assembled['twice'];
  clashes: Assembled['clashes'];
  left_out: { kind: LeftOut['kind']; reason: string; count: number; examples: string[] }[];
  /** What no import takes over from this tool. */
  not_taken_over: string[];
  /** Parameters of the links that the program does not read yet. */
  missing_parameters: string[];
  outcomes: Sent['outcomes'];
  refused: Sent['refused'];
  aliases: string[];
};

const MAX_EXAMPLES = 5;
const MAX_LINES = 20;

/** The parts of a report that come from what was read. */
export function countsOf({ rows, partners, customers, totals, twice, clashes, leftOut }: Assembled) {
  const links = rows.reduce((sum, row) => sum + row.links.length, 0);
  const coupons = rows.reduce((sum, row) => sum + row.coupons.length, 0);
  return { partners, links, coupons, customers, totals, twice, clashes, left_out: grouped(leftOut) };
}

function grouped(leftOut: LeftOut[]): Report['left_out'] {
  const groups = new Map<string, Report['left_out'][number]>();
  for (const { kind, reason, id } of leftOut) {
    // Reasons that quote a value differ, and each of them is worth a look.
    const group = groups.get(`${kind}\n${reason}`) ?? { kind, reason, count: 0, examples: [] };
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(id);
    groups.set(`${kind}\n${reason}`, group);
  }
  return [...groups.values()].toSorted((one, other) => other.count - one.count);
}

/** What would happen, and everything to know before. */
export function reportLines(report: Report): string[] {
  const { title, read_at: readAt, partners, links, coupons, customers } = report;
  const counts = [
    several(partners, 'partner'),
    several(links, 'link'),
    several(coupons, 'coupon'),
    several(customers, 'customer'),
  ];
  return [
    `${title}, read at ${readAt}: ${counts.join(', ')}.`,
    ...totalLines(report.totals),
    '',
    'What importing it would do:',
    ...resultLines(report),
    ...section(
      `Partners that ${title} has more than once. Each becomes one partner:`,
      report.twice.map(({ email, ids }) => `${email} (${ids.join(', ')})`),
    ),
    ...section(
      'Codes that two partners have. The first one keeps it:',
      report.clashes.map(({ code, keeps, loses }) => `${code}: ${keeps}, not ${loses}`),
    ),
    ...section(
      'Not taken over:',
      [...report.left_out.map(leftOutLine), ...report.not_taken_over],
      Number.POSITIVE_INFINITY,
    ),
  ];
}

/** What became of the rows. */
export function resultLines({ outcomes, refused, aliases }: Report): string[] {
  return [
    ...outcomeLines(outcomes),
    ...section(
      'Refused by the service:',
      refused.map(({ partner, what, message }) => `${partner}, ${what}: ${message}`),
    ),
    ...section('Codes that another program uses. They work on the sites of this program, with the parameter:', aliases),
  ];
}

const leftOutLine = ({ kind, reason, count, examples }: Report['left_out'][number]) =>
  `${several(count, kind)}: ${reason} (${shown(examples, count)})`;

const shown = (examples: string[], count: number) => `${examples.join(', ')}${count > examples.length ? ', …' : ''}`;

function totalLines(totals: Balance[]): string[] {
  if (totals.length === 0) return [];
  const amount = (cents: number, currency: string) => formatDecimal(cents, currencyExponent(currency));
  return [
    '',
    'Earned there:',
    ...table([
      ['', 'pending', 'approved', 'paid'],
      ...totals.map(({ currency, pending_cents, approved_cents, paid_cents }) => [
        `  ${currency}`,
        ...[pending_cents, approved_cents, paid_cents].map((cents) => amount(cents, currency)),
      ]),
    ]),
  ];
}

function outcomeLines(outcomes: Report['outcomes']): string[] {
  const rows = Object.entries(outcomes).filter(([, each]) => Object.values(each).some((count) => count > 0));
  const cells = rows.map(([kind, { created, merged, unchanged, refused }]) => [
    `  ${kind}`,
    ...[created, merged, unchanged, refused].map(String),
  ]);
  return table([['', 'new', 'added to', 'unchanged', 'refused'], ...cells]);
}

function section(title: string, lines: string[], most = MAX_LINES): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > most ? [`  and ${lines.length - most} more, which --json lists`] : [];
  return ['', title, ...lines.slice(0, most).map((line) => `  ${line}`), ...more];
}

/** Such as `1 partner` or `1,200 partners`. */
export function several(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
