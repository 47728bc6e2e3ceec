import { z } from 'zod';

/** How many parameters besides `aff` a program can have. */
export const MAX_LINK_PARAMETERS = 10;
const MAX_CHARS = 40;

/** What other tools call the parameter that names the partner in their links. */
export const FOREIGN_PARAMETERS = [
  { tool: 'Rewardful', parameters: ['via'] },
  { tool: 'FirstPromoter', parameters: ['fpr', '_get'] },
  { tool: 'Tolt', parameters: ['via', 'ref'] },
  { tool: 'PartnerStack', parameters: ['gspk', 'ps_partner_key'] },
  { tool: 'Dub', parameters: ['via'] },
  { tool: 'Post Affiliate Pro', parameters: ['a_aid'] },
  { tool: 'Refersion', parameters: ['rfsn'] },
] as const;

/** Parameters that mean something else here, or to the analytics of the site. */
const isReserved = (name: string) => /^(aff|sub|svc_click_id|to|utm_.*)$/i.test(name);

const parameterName = z.string({ error: 'link_parameters must hold strings' }).transform((sent, check) => {
  const name = sent.trim();
  if (name.length > MAX_CHARS || !/^[\w-]+$/.test(name)) {
    check.addIssue(
      `link_parameters: "${name.slice(0, 100)}" must be 1 to ${MAX_CHARS} letters, digits, hyphens or underscores`,
    );
  } else if (isReserved(name)) check.addIssue(`link_parameters: "${name}" has another meaning in links`);
  return name;
});

/** Parameters that name the partner in a program’s links, besides `aff`. */
export const linkParameters = z
  .array(parameterName, { error: 'link_parameters must be a list of names' })
  .max(MAX_LINK_PARAMETERS, { error: `link_parameters must hold at most ${MAX_LINK_PARAMETERS} names` })
  .refine((names) => new Set(names).size === names.length, { error: 'link_parameters must name each parameter once' });

/** What a program’s tracker has to know besides the program: the parameters, and how long it keeps the click of a redirect. */
export type ProgramTracker = { link_parameters: readonly string[]; cookie_window_days: number };

/** What the tracker does that all programs share. */
export const SHARED_TRACKER: ProgramTracker = { link_parameters: [], cookie_window_days: 60 };

/**
 * The code of a link in the query of an address: the value of `aff`, otherwise of the first of the program’s parameters that
 * has one. An empty value is a missing one.
 */
export function affiliateCodeIn(query: URLSearchParams, parameters: readonly string[]): string | null {
  const given = ['aff', ...parameters].find((name) => query.get(name));
  return given === undefined ? null : query.get(given);
}
