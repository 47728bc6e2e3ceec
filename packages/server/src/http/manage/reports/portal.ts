import { errors, manageAskAboutOrder, manageUpcoming, QUESTIONS_PER_DAY, type ReplyData } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addQuestion } from '../../../partners/joining/question-store.ts';
import { findPartner } from '../../../partners/partner-store.ts';
import { findUpcoming } from '../../../payout-runs/find-upcoming.ts';
import { explainOrder, type OrderQuestion } from '../../../reporting/orders/explain-order.ts';
import type { OrderAnswer } from '../../../reporting/orders/order-answer.ts';
import { describeOwnPay } from '../../../terms/paid-rule.ts';
import { DAY_MS } from '../../../time.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePortalRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageUpcoming, async ({ program, partnerId }, request) => {
    const { partner_id: requestedId = null } = queryOf(manageUpcoming, request);
    const upcoming = await findUpcoming(ctx, program.id, partnerId ?? requestedId);
    return {
      data: upcoming.map((each) => ({
        currency: each.currency,
        payable_cents: each.payableCents,
        carried_cents: each.carriedCents,
        in_payouts_cents: each.inPayoutsCents,
        in_review_cents: each.inReviewCents,
        approvals: each.approvals.map(({ on, cents }) => ({ on, amount_cents: cents })),
        later_cents: each.laterCents,
        next_payout_at: each.nextPayoutAt?.toISOString() ?? null,
        minimum_cents: each.minimumCents,
        obstacle: each.obstacle,
      })),
    };
  });

  addProgramRoute(app, ctx, manageAskAboutOrder, async (access, request) => {
    const { transaction_id: transactionId, email, partner_id: requestedId } = bodyOf(manageAskAboutOrder, request);
    const question: OrderQuestion = transactionId ? { transactionId } : { email: email ?? '' };
    if (access.partnerId !== null) {
      const left = await takeQuestion(access.program.id, access.partnerId);
      const answers = await explainOrder(ctx, access.program.id, access.partnerId, question);
      return { data: { answers: answers.map(toAnswerReply), questions_left: left } };
    }
    const partnerId = await requestedPartner(access, requestedId);
    const answers = await explainOrder(ctx, access.program.id, partnerId, question);
    return { data: { answers: answers.map(toAnswerReply), questions_left: null } };
  });

  /** Counts the question before it is answered, and returns how many are left today. */
  async function takeQuestion(programId: number, partnerId: number): Promise<number> {
    const now = ctx.now();
    const day = now.toISOString().slice(0, 10);
    const asked = await addQuestion(ctx.db, { programId, partnerId, day }, QUESTIONS_PER_DAY);
    if (asked !== null) return QUESTIONS_PER_DAY - asked;
    const msLeft = DAY_MS - (now.getTime() % DAY_MS);
    throw errors.tooManyQuestions(Math.max(1, Math.ceil(msLeft / 1000)), QUESTIONS_PER_DAY);
  }

  async function requestedPartner({ program }: ProgramAccess, partnerId: number | undefined): Promise<number> {
    if (partnerId === undefined) throw errors.partnerRequired();
    if (!(await findPartner(ctx.db, program.id, partnerId))) throw errors.notFound();
    return partnerId;
  }
}

type Answer = ReplyData<typeof manageAskAboutOrder>['answers'][number];

function toAnswerReply({ answer, sentence, order }: OrderAnswer): Answer {
  const commission = order?.commission;
  return {
    answer,
    sentence,
    transaction_id: order?.transactionId ?? null,
    paid_at: order?.paidAt?.toISOString() ?? null,
    amount_cents: order?.amountCents ?? null,
    refunded_cents: order?.refundedCents ?? null,
    currency: order?.currency ?? null,
    commission: commission
      ? {
          status: commission.status,
          amount_cents: commission.cents,
          currency: commission.currency,
          terms: describeOwnPay(commission),
          approved_on: commission.isOnHold ? commission.approveAfter : null,
        }
      : null,
    click_age_days: order?.clickAgeDays ?? null,
    window_days: order?.windowDays ?? null,
  };
}
