import { createHash } from 'node:crypto';
import { isSignature, signatureOf } from '../../signature.ts';

/** How long a plan can be carried out. */
export const PLAN_SECONDS = 600;

/** The only way to write a token. In another one, the same plan would have another key, and could be carried out again. */
const TOKEN = /^([1-9]\d{9,11})\.([\w-]{43})$/;

/** A change that a tool has proposed: to whom, by which tool and with which arguments. */
export type Plan = { tokenId: number; tool: string; args: object };

/** The token of a plan. It is valid for this caller, this tool and these arguments only, for ten minutes. */
export function signPlan(secret: string, plan: Plan, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + PLAN_SECONDS;
  return `${until}.${signatureOf(secret, 'mcp plan', textOf(plan, until))}`;
}

export function isPlanToken(secret: string, plan: Plan, token: string, now: Date): boolean {
  const [, until = '', signed = ''] = TOKEN.exec(token) ?? [];
  if (until === '' || Number(until) * 1000 < now.getTime()) return false;
  return isSignature(signed, signatureOf(secret, 'mcp plan', textOf(plan, Number(until))));
}

/** Under which the change is made: a plan that is carried out twice changes something once. */
export const planKey = (token: string) => `mcp-${createHash('sha256').update(token).digest('hex').slice(0, 40)}`;

function textOf({ tokenId, tool, args }: Plan, until: number): string {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify([tokenId, tool, until, args], sorted);
}
