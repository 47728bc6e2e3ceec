import {
  ATTRIBUTIONS,
  type Attribution,
  currencyExponent,
  type manageSimulateTerms,
  type ReplyOf,
} from '@svc/contract';
import { table } from '../output.ts';
import type { Settings } from './settings.ts';

type Simulated = ReplyOf<typeof manageSimulateTerms>['data'];

/** A plan: what changes in the rules, and what that would have cost. */
export type Plan = {
  /** The version that the file is compared with, and when it begins if it is not in force yet. */
  version: number;
  begins: string | null;
  /** Whether the rules differ, or which click is credited. */
  changed: boolean;
  /** Which click is credited from then on, if that changes. */
  attribution: Attribution | null;
  /** The commission settings that differ. */
  settings: Partial<Settings>;
  from: string;
  to: string;
  simulation: Simulated;
};

/** A plan in lines, the totals first. */
export function planLines({ version, begins, changed, attribution, settings, from, to, simulation }: Plan): string[] {
  const { totals, largest, sales, leads } = simulation;
  const partners = simulation.partners.filter((row) => row.actual_cents !== row.simulated_cents);
  return [
    changed
      ? `${attribution ? 'The terms differ' : 'The rules differ'} from version ${version}, which ${state(begins)}.`
      : `Version ${version}, which ${state(begins)}, has these rules.`,
    ...(attribution ? [`Credited: ${ATTRIBUTIONS[attribution].label.toLowerCase()}.`] : []),
    ...Object.entries(settings).map(([name, value]) => `The setting ${name} becomes ${value ?? 'empty'}.`),
    ...simulation.warnings.map((warning) => `Warning: ${warning}`),
    `From ${from} to ${to}: ${sales} sales, ${leads} leads.`,
    ...(simulation.matches_actual ? [] : ['Some commissions cannot be reproduced: this is an estimate.']),
    ...totals.map((total) => `Total: ${compared(total).join(' ')}`),
    ...section(
      'By partner',
      partners.map((row) => [row.partner_name, ...compared(row)]),
    ),
    ...section(
      'Largest changes',
      largest.map((row) => [
        row.transaction_id ?? `customer ${row.customer_id}`,
        row.partner_name,
        ...compared(row),
        `${row.actual_rule ?? 'nothing'} -> ${row.simulated_rule ?? 'nothing'}`,
      ]),
    ),
    ...(largest.length === 0 ? ['Nothing would have been paid differently.'] : []),
  ];
}

const state = (begins: string | null) => (begins === null ? 'is in force' : `begins at ${begins}`);

function section(title: string, rows: string[][]): string[] {
  return rows.length === 0 ? [] : ['', title, ...table(rows).map((line) => `  ${line}`)];
}

type Compared = { currency: string; actual_cents: number; simulated_cents: number };

function compared({ currency, actual_cents: actual, simulated_cents: simulated }: Compared): string[] {
  const change = simulated - actual;
  const sign = change > 0 ? '+' : '';
  return [
    `${units(actual, currency)} -> ${units(simulated, currency)} ${currency}`,
    `(${sign}${units(change, currency)})`,
  ];
}

function units(cents: number, currency: string): string {
  const decimals = currencyExponent(currency);
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return cents < 0 ? `-${text}` : text;
}
