import { parseClickId } from '../customers/click-id.ts';
import { hashEmail } from '../customers/email.ts';
import type { Program } from '../programs/program.ts';
import { choosePayer, type Payer } from './choose-payer.ts';
import { type EventDetails, requeueWaitingFor } from './events/event-store.ts';
import { isClaimedBySeveral, listPayerCandidates, upsertIdentities } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PayerEvidence } from './processor-fact.ts';

export type Identification =
  | { is: 'identified'; payer: Payer }
  | { is: 'unidentified'; isKeyDisputed: boolean }
  | { is: 'other_program' };

/** What is to be identified: a payment at its time, or the processor's customer. */
type Identified = { evidence: PayerEvidence; paidAt?: Date };

/**
 * Finds the customer who paid. A payment that names another program, or a customer of one, is not recorded here. A test
 * payment that no test customer made is matched to real ones, to show whom it would have credited.
 */
export async function identifyPayer(
  ctx: PaymentsContext,
  program: Program,
  fact: Identified,
  event: EventDetails,
): Promise<Identification> {
  if (await namesOtherProgram(ctx, program, fact.evidence)) return { is: 'other_program' };
  const identification = await identifyAmong(ctx, program, fact, event, event.isTest);
  const isUnknownTest = event.isTest && identification.is === 'unidentified';
  return isUnknownTest ? identifyAmong(ctx, program, fact, event, false) : identification;
}

/** Shops use the name `program_id` for things of their own. Only the id of a program that exists counts. */
async function namesOtherProgram(
  ctx: PaymentsContext,
  program: Program,
  { programId }: PayerEvidence,
): Promise<boolean> {
  if (programId === undefined || !/^[1-9]\d{0,14}$/.test(programId) || programId === String(program.id)) return false;
  return (await ctx.lookup.program(Number(programId))) !== null;
}

async function identifyAmong(
  ctx: PaymentsContext,
  program: Program,
  { evidence, paidAt }: Identified,
  { happenedAt }: EventDetails,
  isTest: boolean,
): Promise<Identification> {
  const candidates = await listPayerCandidates(ctx.db, {
    programId: program.id,
    isTest,
    click: parseClickId(evidence.clickId),
    customerKey: evidence.customerKey,
    clientReference:
      evidence.clientReference === undefined
        ? undefined
        : { click: parseClickId(evidence.clientReference), key: evidence.clientReference },
    references: evidence.references,
    emailHash: evidence.email === undefined ? null : hashEmail(evidence.email, ctx.emailSecret),
    happenedAt,
  });
  const payer = choosePayer(candidates, paidAt ?? null);
  if (!payer) {
    const { customerKey } = evidence;
    const isKeyDisputed =
      customerKey !== undefined && (await isClaimedBySeveral(ctx.db, program.id, customerKey, isTest));
    return { is: 'unidentified', isKeyDisputed };
  }
  if (payer.customer.programId !== program.id) return { is: 'other_program' };
  return { is: 'identified', payer };
}

/**
 * Stores which customer the processor's ids belong to, and processes again what depends on it: events that were waiting to learn
 * it, and payments that were recorded on weaker evidence.
 */
export async function saveIdentity(
  ctx: PaymentsContext,
  program: Program,
  payer: Payer,
  { references }: PayerEvidence,
  event: EventDetails,
): Promise<void> {
  if (references.length === 0) return;
  const changed = await upsertIdentities(ctx.db, program.id, references, payer);
  // An earlier attempt may have stored it and got no further.
  const learnt = event.isRetry ? references : changed;
  if (learnt.length > 0) await requeueWaitingFor(ctx.db, program.id, learnt, event, ctx.now());
}
