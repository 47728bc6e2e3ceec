import { basename } from 'node:path';
import {
  COMMISSION_BASES,
  COMMISSION_TYPE_NAMES,
  COMMISSION_TYPES,
  type CommissionType,
  type cliInit,
  commissionRate,
  domain,
  isCommissionType,
} from '@svc/contract';
import type { z } from 'zod';
import { wrongUsage } from './failure.ts';
import type { Session } from './session.ts';

export type InitOptions = {
  name?: string;
  domain?: string;
  commissionType?: string;
  commissionRate?: string;
  cookieDays?: string;
  recurringMonths?: string;
  origin?: string[];
  program?: string;
};

type NewProgram = z.input<typeof cliInit.body>;

/** The terms of a new program, from flags and, where a person can be asked, from answers. */
export async function newProgram({ ask, cwd }: Session, options: InitOptions): Promise<NewProgram> {
  if (!ask.interactive) refuseMissing(options);
  const name =
    options.name ??
    (await ask.text({
      message: 'Name of the program',
      flag: '--name',
      initialValue: basename(cwd),
      check: (answer) => (answer ? undefined : 'A name, please'),
    }));
  const site =
    options.domain ??
    (await ask.text({
      message: 'Domain of your site',
      flag: '--domain',
      placeholder: 'example.com',
      check: (answer) => messageOf(domain, answer),
    }));
  const type =
    options.commissionType ??
    (await ask.choose(
      '--commission-type',
      'What do partners earn?',
      COMMISSION_TYPE_NAMES.map((value) => ({ value, label: value, hint: COMMISSION_TYPES[value].label })),
    ));
  const rate =
    options.commissionRate ??
    (await ask.text({
      message: ratePrompt(type),
      flag: '--commission-rate',
      placeholder: '20',
      check: (answer) => messageOf(commissionRate, Number(answer || Number.NaN)),
    }));
  return {
    name,
    domain: site,
    commission_type: type as CommissionType,
    commission_rate: numberOf('--commission-rate', rate),
    cookie_window_days: options.cookieDays === undefined ? undefined : numberOf('--cookie-days', options.cookieDays),
    recurring_months:
      options.recurringMonths === undefined ? undefined : numberOf('--recurring-months', options.recurringMonths),
    allowed_origins: options.origin,
  };
}

/** What the rate means. The service refuses an unknown type itself, with the list of those it knows. */
function ratePrompt(type: string): string {
  return isCommissionType(type) ? COMMISSION_BASES[COMMISSION_TYPES[type].basis].ratePrompt : 'Commission';
}

function refuseMissing({ name, domain: site, commissionType, commissionRate: rate }: InitOptions): void {
  const needed = { '--name': name, '--domain': site, '--commission-type': commissionType, '--commission-rate': rate };
  const missing = Object.entries(needed).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  if (missing.length > 0) throw wrongUsage(`Nobody can be asked here. Give ${missing.join(', ')}.`);
}

function numberOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw wrongUsage(`${flag} must be a number, not "${text}".`);
  return value;
}

function messageOf(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}
