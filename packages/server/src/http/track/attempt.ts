import { errors, identifier, programReference, type RouteDefinition } from '@svc/contract';
import { parseBody } from '../body.ts';
import { type Credential, hasTestKey } from '../callers/credential.ts';

/** A request that reports a lead, sale or refund, or one item of a batch. */
export type Attempt = {
  /** The id of the request. */
  id: string;
  body: unknown;
  credential: Credential;
  /** Set once a verb has taken over, which then records its own decision. */
  isJudged: boolean;
};

/** Parses the body of a lead, sale or refund. From here on the verb decides, and records its decision. */
export function parseAttempt<Route extends RouteDefinition>(route: Route, attempt: Attempt) {
  const isTestCaller = hasTestKey(attempt);
  const parsed = parseBody(route, attempt.body, isTestCaller);
  if (!parsed.ok) throw errors.invalidField(parsed.problem);
  if (parsed.isTest && namesOtherProgram(attempt)) throw errors.programMismatch();
  attempt.isJudged = true;
  return { ...parsed, isTestCaller };
}

export type ParsedAttempt<Route extends RouteDefinition> = ReturnType<typeof parseAttempt<Route>>;

/** Whether a test event carries a key but names another program. */
export function namesOtherProgram({ body, credential }: Pick<Attempt, 'body' | 'credential'>): boolean {
  const named = (body as { additional_data?: { program_id?: unknown } })?.additional_data?.program_id;
  if (credential.is !== 'program-key' || named === undefined || named === null) return false;
  return programReference.parse(named) !== credential.key.programId;
}

/** The identifiers that an attempt sends, as far as they can be stored, even if the rest of it is invalid. */
export function identifiersIn(body: unknown) {
  const fields = (body ?? {}) as Record<string, unknown>;
  const { customer_key: key } = fields;
  return {
    transactionId: usable(fields.transaction_id),
    customerKey: usable(typeof key === 'number' ? String(key) : key),
    clickId: usable(fields.click_id),
  };
}

function usable(value: unknown): string | null {
  return identifier('').safeParse(value).data ?? null;
}
