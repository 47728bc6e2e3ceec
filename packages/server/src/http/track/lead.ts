import { errors, type LeadBody, programReference, type ReplyOf, trackLead } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LeadCaller, LeadOutcome } from '../../leads/lead.ts';
import { findProgramOfClick, recordLead } from '../../leads/record-lead.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { addRoute } from '../add-route.ts';
import { programOfKey } from '../callers/program-of-key.ts';
import { type ParsedAttempt, parseAttempt } from './attempt.ts';
import { creditField } from './customer-credit.ts';
import { LEAD_REPORT } from './report-routes.ts';

export function addLeadRoute(app: FastifyInstance, ctx: TrackingContext): void {
  const handle = async (request: FastifyRequest) => {
    const parsed = parseAttempt(trackLead, request);
    return answerLead(ctx, await callerOf(ctx, request, parsed.body), parsed, request.id);
  };
  addRoute(app, trackLead, handle);
  addRoute(app, trackLead, handle, LEAD_REPORT);
}

/** Records a lead and returns the reply. Refusals are thrown. */
export async function answerLead(
  ctx: TrackingContext,
  caller: LeadCaller,
  { body, isTest }: ParsedAttempt<typeof trackLead>,
  requestId: string,
): Promise<ReplyOf<typeof trackLead>> {
  const outcome = await recordLead(ctx, caller, {
    clickId: body.click_id,
    customerKey: body.customer_key,
    email: body.email,
    additionalData: body.additional_data,
    isTest,
    requestId,
  });
  return toReply(outcome);
}

async function callerOf(ctx: TrackingContext, request: FastifyRequest, body: LeadBody): Promise<LeadCaller> {
  if (request.credential.is === 'program-key') {
    return { mode: 'server', program: await programOfKey(ctx, request) };
  }
  const namedProgramId = body.program_id ?? programReference.parse(body.additional_data?.program_id);
  // A click id that is not the program's may be a guess, and guesses are counted by the address of the sender.
  if (request.relayed) {
    const { click_id: clickId } = body;
    await request.relayed.confirm(clickId === undefined ? namedProgramId : await findProgramOfClick(ctx, clickId));
  }
  return {
    mode: 'browser',
    namedProgramId,
    origin: request.headers.origin,
  };
}

function toReply(outcome: LeadOutcome): ReplyOf<typeof trackLead> {
  if (outcome.is === 'refused') throw refusal(outcome);
  const { provisional, program, decisionId, credit, isTest } = outcome;
  return {
    success: true,
    message: isTest
      ? 'Test lead event tracked successfully'
      : provisional
        ? 'Lead received. It counts once the program confirms it from its server.'
        : 'Lead tracked successfully',
    ...(provisional && { provisional: true }),
    ...creditField(credit),
    ...(isTest && { data: { eventId: decisionId, programId: program.id, test_mode: true } }),
  };
}

function refusal(outcome: LeadOutcome & { is: 'refused' }): Error {
  switch (outcome.reason) {
    case 'customer_not_found':
      return errors.leadCustomerNotFound();
    case 'other_program':
      return errors.leadOtherProgram();
    case 'origin_not_allowed':
      return errors.originNotAllowed();
    case 'lead_status_refused':
      return errors.leadStatus(outcome.status);
  }
}
