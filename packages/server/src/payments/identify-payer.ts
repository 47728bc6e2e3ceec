import { parseClickId } from '../customers/click-id.ts';
import { hashEmail } from '../customers/email.ts';
import type { Program } from '../programs/program.ts';
import { type EventDetails, requeueWaitingFor } from './events/event-store.ts';
import { findPayer, isClaimedBySeveral, type Payer, upsertIdentities } from './payer-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PayerEvidence } from './processor-fact.ts';

export type Identification =
  | { is: 'identified'; payer: Payer }
  | { is: 'unidentified'; isKeyDisputed: boolean }
  | { is: 'other_program' };

/**
 * Finds the customer who paid. A payment that names another program, or a customer of one, is not recorded here. A test
 * payment that no test customer made is matched to real ones, to show whom it would have credited.
 */
export async function identifyPayer(
  ctx: PaymentsContext,
  program: Program,
  evidence: PayerEvidence,
  { isTest }: EventDetails,
): Promise<Identification> {
  if (await namesOtherProgram(ctx, program, evidence)) return { is: 'other_program' };
  const identification = await identifyAmong(ctx, program, evidence, isTest);
  const isUnknownTest = isTest && identification.is === 'unidentified';
  return isUnknownTest ? identifyAmong(ctx, program, evidence, false) : identification;
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
  evidence: PayerEvidence,
  isTest: boolean,
): Promise<Identification> {
  const payer = await findPayer(ctx.db, {
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
  });
  if (!payer) {
    const { customerKey } = evidence;
    const isKeyDisputed =
      customerKey !== undefined && (await isClaimedBySeveral(ctx.db, program.id, customerKey, isTest));
    return { is: 'unidentified', isKeyDisputed };
  }
  if (payer.customer.programId !== program.id) return { is: 'other_program' };
  return { is: 'identified', payer };
}

/** Stores which customer the processor's ids belong to, and retries events that were waiting to learn it. */
export async function saveIdentity(
  ctx: PaymentsContext,
  program: Program,
  payer: Payer,
  { references }: PayerEvidence,
  event: EventDetails,
): Promise<void> {
  if (payer.matchedBy === 'reference' || references.length === 0) return;
  await upsertIdentities(ctx.db, program.id, references, payer, event.happenedAt);
  await requeueWaitingFor(ctx.db, program.id, references, event, ctx.now());
}
