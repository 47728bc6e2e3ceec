import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { precheckProblem, type RouteDefinition } from '@svc/contract';
import { z } from 'zod';
import { type CallRoute, Refusal, type RehearseRoute } from './call-route.ts';
import { isPlanToken, PLAN_SECONDS, planKey, signPlan } from './plan.ts';
import type { Tool, Writes } from './tool.ts';
import { toolError, toolResult } from './tool-result.ts';

export type ToolCaller = {
  call: CallRoute;
  rehearse: RehearseRoute;
  tokenId: number;
  secret: string;
  now: () => Date;
};

const NEXT =
  'Nothing has changed yet. Show the plan to the user. If they agree, call the same tool with the same arguments and this plan_token.';
const WRONG_PLAN =
  'This plan_token does not fit: it is older than ten minutes, or was made for other arguments or for someone else. Call the tool without plan_token for a new plan.';

/** The arguments of a tool; a tool that changes something also takes the token of its plan. */
export function inputOf({ input, does }: Tool): z.ZodObject {
  if ('reads' in does) return input;
  return input.extend({ plan_token: z.string().max(200).optional() });
}

/** Runs a tool. What is wrong with a call is said in its result, so that the model can correct it. */
export async function runTool(tool: Tool, given: object, caller: ToolCaller): Promise<CallToolResult> {
  const input = inputOf(tool);
  const sent = asDescribed(input, given);
  const checked = input.safeParse(sent);
  if (!checked.success) return toolError(z.prettifyError(checked.error));
  try {
    const { does } = tool;
    return 'reads' in does ? toolResult(await does.reads(caller.call, sent)) : await change(tool, does, sent, caller);
  } catch (error) {
    if (error instanceof Refusal) return toolError(`The service answered ${error.status}: ${error.message}`);
    throw error;
  }
}

type Described = { type?: string; items?: Described; enum?: unknown[] };

/** The arguments in the types of the schema: models write numbers as text, text as numbers, and both ways for true and false. */
function asDescribed(input: z.ZodObject, given: object): object {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, inType(properties[name] as Described | undefined, value)]),
  );
}

function inType(described: Described | undefined, value: unknown): unknown {
  const { type, items } = described ?? {};
  if (type === 'array' && Array.isArray(value)) return value.map((each) => inType(items, each));
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim())) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'string' && (Number.isSafeInteger(value) || typeof value === 'boolean')) return String(value);
  return value;
}

/** What the route would refuse about the fields, so that no plan is made for it. */
function problemWith(route: RouteDefinition, sent: object): string | null {
  const refusal = precheckProblem(route, sent as Record<string, unknown>);
  return refusal?.message ?? route.body?.safeParse(sent).error?.issues[0]?.message ?? null;
}

async function change(
  { name }: Tool,
  does: Writes,
  sent: { plan_token?: string },
  { call, rehearse, tokenId, secret, now }: ToolCaller,
): Promise<CallToolResult> {
  const { plan_token: token, ...args } = sent;
  const plan = { tokenId, tool: name, args };
  const { route, params, body } = does.change(args);
  const problem = problemWith(route, body ?? {});
  if (problem) return toolError(problem);
  if (token === undefined) {
    const planned = await does.plans(call, args);
    // Whatever the plan says: if the route would refuse it now, there is nothing to agree to.
    if (does.isRehearsed !== false) await rehearse(route, { params, body: body as never });
    return toolResult({
      status: 'planned',
      plan: { ...planned, change: body ?? {} },
      plan_token: signPlan(secret, plan, now()),
      expires_in_seconds: PLAN_SECONDS,
      next: NEXT,
    });
  }
  if (!isPlanToken(secret, plan, token, now())) return toolError(WRONG_PLAN);
  const done = await call(route, { params, body: body as never, idempotencyKey: planKey(token) });
  return toolResult({ status: 'done', reply: done });
}
