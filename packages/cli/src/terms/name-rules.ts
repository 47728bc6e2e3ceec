import { type DescribedRule, manageGroups, managePartner, managePartners, type TermsRule } from '@svc/contract';
import { Failure } from '../failure.ts';
import { accountToken, type Session } from '../session.ts';
import type { FiledRule, TermsContent } from './terms-file.ts';

type Found = { id: number; name: string }[];

/** Rules as the service takes them: the names of groups and the email addresses of partners become their ids. */
export async function resolveNames(session: Session, programId: string, { rules }: TermsContent): Promise<TermsRule[]> {
  const token = await accountToken(session);
  const params = { program_id: programId };
  const groups = rules.some((rule) => rule?.for?.group !== undefined)
    ? (await session.api.call(manageGroups, { params, token })).data
    : [];
  const resolved: TermsRule[] = [];
  for (const [index, rule] of rules.entries()) {
    const { group, partner, ...ids } = rule?.for ?? {};
    if (group === undefined && partner === undefined) {
      resolved.push(rule as TermsRule);
      continue;
    }
    const named: { group_id?: number; partner_id?: number } = {};
    if (group !== undefined) named.group_id = idIn(groups, String(group), `rule ${index + 1}: for.group`);
    if (partner !== undefined) {
      const query = { q: String(partner), limit: 100 };
      const { data } = await session.api.call(managePartners, { params, query, token });
      const known = data.map(({ id, email }) => ({ id, name: email }));
      named.partner_id = idIn(known, String(partner), `rule ${index + 1}: for.partner`);
    }
    resolved.push({ ...rule, for: { ...ids, ...named } });
  }
  return resolved;
}

function idIn(found: Found, name: string, field: string): number {
  const match = found.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (match) return match.id;
  throw new Failure(`${field} "${name}" is not in this program.`, { status: 400 });
}

/** Rules as people keep them in a file: ids become the names of groups and the email addresses of partners. */
export async function nameIds(session: Session, programId: string, rules: DescribedRule[]): Promise<FiledRule[]> {
  const token = await accountToken(session);
  const params = { program_id: programId };
  const groups = rules.some((rule) => rule.for?.group_id !== undefined)
    ? (await session.api.call(manageGroups, { params, token })).data
    : [];
  const emails = new Map<number, string>();
  for (const id of new Set(rules.flatMap((rule) => rule.for?.partner_id ?? []))) {
    const partner = { ...params, partner_id: String(id) };
    emails.set(id, (await session.api.call(managePartner, { params: partner, token })).data.email);
  }
  return rules.map(({ description: _, on, for: whom, ...rule }) => {
    if (!whom) return { on, ...rule };
    const { group_id: groupId, partner_id: partnerId } = whom;
    const group = groups.find(({ id }) => id === groupId)?.name;
    const partner = partnerId === undefined ? undefined : emails.get(partnerId);
    const named = { ...(group !== undefined && { group }), ...(partner !== undefined && { partner }) };
    return { on, for: Object.keys(named).length > 0 ? named : whom, ...rule };
  });
}
