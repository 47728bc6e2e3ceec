import { currencyExponent } from '@svc/contract';
import { Failure, wrongUsage } from '../failure.ts';
import { centsOf, type Unit } from './money.ts';

/** A sale whose amount the user knows for sure, such as from an invoice. */
export type KnownSale = { id: string; amount: string; currency: string };

/** An amount of a tool that does not say what it counts in. `ids` are what the sale is known by. */
export type Sample = { ids: string[]; saleAmount: number; amounts: number[] };

/** Reads `--known-sale ID=AMOUNT`. The amount is in whole units with decimals, such as 49.00. */
export function knownSale(text: string | undefined, currency: string): KnownSale | undefined {
  if (text === undefined) return undefined;
  const [, id, amount] = /^(.+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const problem = amount === undefined ? 'no amount' : centsOf(amount, currency, 'whole').problem;
  if (id && amount && !problem) return { id, amount, currency };
  throw wrongUsage(
    `--known-sale must be the id of a sale and its amount in ${currency}, such as ch_123=49.00.`,
    problem ?? undefined,
  );
}

/**
 * What a tool counts in, taken from a known sale, otherwise from an amount that only one of the units can have. Refuses to
 * guess, and refuses a known sale that fits neither unit or that other amounts contradict.
 */
export function unitOf(tool: string, samples: Sample[], currency: string, known: KnownSale | undefined): Unit {
  const fraction = samples.flatMap(({ amounts }) => amounts).find((amount) => !Number.isInteger(amount));
  if (known) return knownUnit(tool, samples, known, fraction);
  if (fraction !== undefined) return 'whole';
  // Without amounts, and in currencies without decimals, both units are the same.
  if (currencyExponent(currency) === 0 || samples.every(({ amounts }) => amounts.every((amount) => amount === 0))) {
    return 'smallest';
  }
  throw new Failure(`${tool} does not say whether its amounts are in cents or in whole units of ${currency}.`, {
    code: 'unknown_unit',
    hint: 'Pass --known-sale ID=AMOUNT with a sale whose amount you know, such as --known-sale ch_123=49.00.',
  });
}

function knownUnit(tool: string, samples: Sample[], known: KnownSale, fraction: number | undefined): Unit {
  const found = samples.filter(({ ids }) => ids.includes(known.id));
  const refuse = (message: string, hint?: string) => new Failure(message, { code: 'unit_disagrees', hint });
  const [first] = found;
  if (!first) {
    throw refuse(
      `${tool} has no commission for the sale "${known.id}".`,
      'Pass the id of the sale, of its commission or of its customer.',
    );
  }
  const inUnit = (unit: Unit) =>
    found.some(
      ({ saleAmount }) =>
        centsOf(saleAmount, known.currency, unit).cents === centsOf(known.amount, known.currency, 'whole').cents,
    );
  const unit = inUnit('whole') ? 'whole' : inUnit('smallest') ? 'smallest' : undefined;
  if (!unit) {
    throw refuse(
      `${tool} has ${first.saleAmount} for the sale "${known.id}", which is ${known.amount} ${known.currency} neither in cents nor in whole units.`,
      'Check the amount: it is the sale without tax, before refunds. Nothing was imported.',
    );
  }
  if (unit === 'smallest' && fraction !== undefined) {
    throw refuse(
      `The sale "${known.id}" is in cents, but ${tool} also has ${fraction}, which is not a number of cents.`,
    );
  }
  return unit;
}
