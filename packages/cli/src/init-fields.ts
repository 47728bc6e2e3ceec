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
  maxRate,
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
  /** Undefined if neither `--relay` nor `--no-relay` was given. */
  relay?: boolean;
};

type NewProgram = z.input<typeof cliInit.body>;

/** The fields of a new program, from flags and, in interactive mode, from prompts. */
export async function newProgram({ prompts, cwd }: Session, options: InitOptions): Promise<NewProgram> {
  if (!prompts.interactive) requireFlags(options);
  const name =
    options.name ??
    (await prompts.text({
      message: 'Program name',
      flag: '--name',
      initialValue: basename(cwd),
      check: (answer) => (answer ? undefined : 'Enter a name'),
    }));
  const site =
    options.domain ??
    (await prompts.text({
      message: 'Domain of your site',
      flag: '--domain',
      placeholder: 'example.com',
      check: (answer) => validationMessage(domain, answer),
    }));
  const type =
    options.commissionType ??
    (await prompts.choose(
      '--commission-type',
      'What do partners earn?',
      COMMISSION_TYPE_NAMES.map((value) => ({ value, label: value, hint: COMMISSION_TYPES[value].label })),
    ));
  const rate =
    options.commissionRate ??
    (await prompts.text({
      message: ratePrompt(type),
      flag: '--commission-rate',
      placeholder: '20',
      check: (answer) => validationMessage(rateOf(type), Number(answer || Number.NaN)),
    }));
  return {
    name,
    domain: site,
    commission_type: type as CommissionType,
    commission_rate: parseNumber('--commission-rate', rate),
    cookie_window_days: options.cookieDays === undefined ? undefined : parseNumber('--cookie-days', options.cookieDays),
    recurring_months:
      options.recurringMonths === undefined ? undefined : parseNumber('--recurring-months', options.recurringMonths),
    allowed_origins: options.origin,
  };
}

/** What the rate means. The service refuses an unknown type itself, with the list of those it knows. */
function ratePrompt(type: string): string {
  return isCommissionType(type) ? COMMISSION_BASES[COMMISSION_TYPES[type].basis].ratePrompt : 'Commission';
}

/** The check of a rate. For a known type, that includes its limit. */
function rateOf(type: string): z.ZodType {
  if (!isCommissionType(type)) return commissionRate;
  const max = maxRate(type);
  return commissionRate.refine((rate) => Number(rate) <= max, { error: `commission_rate must be at most ${max}` });
}

function requireFlags({ name, domain: site, commissionType, commissionRate: rate }: InitOptions): void {
  const required = { '--name': name, '--domain': site, '--commission-type': commissionType, '--commission-rate': rate };
  const missing = Object.entries(required).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  if (missing.length > 0) throw wrongUsage(`Missing input in non-interactive mode. Pass ${missing.join(', ')}.`);
}

function parseNumber(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw wrongUsage(`${flag} must be a number, not "${text}".`);
  return value;
}

function validationMessage(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}
