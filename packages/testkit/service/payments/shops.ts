import type { ProcessorName } from '@svc/contract';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { addSecret } from '../../../server/src/payments/connections/change-secrets.ts';
import type { Answer, TestProgram, TestService } from '../service.ts';
import { connectPaddle, PADDLE_TEST_SECRET, type PaddleEvent, PaddleEvents, sendPaddle } from './paddle.ts';
import { connectStripe, newId, type StripeEvent, StripeEvents, send } from './stripe.ts';

/** An event that is ready to be sent. */
export type Sent = { id: string; send(programId: number): Promise<Answer> };

type Purchase = {
  key?: string;
  /** The program that the metadata names. */
  programId?: number;
  cents?: number;
  /** How much of it is tax. */
  tax?: number;
  currency?: string;
  customer?: string;
  isTest?: boolean;
};

/** A payment: the id of its sale, and the events that report it. */
export type Payment = { id: string; reference: string; events: Sent[] };

/** What happens in a shop, told in the events of its payment processor. */
export type Shop = {
  connect(made: TestProgram): Promise<void>;
  /** A one-off payment. */
  pay(purchase: Purchase): Payment;
  /** A payment of a subscription. */
  payFor(subscription: string, stage: 'start' | 'cycle' | 'change', purchase: Purchase): Payment;
  refund(payment: Payment, cents: number): Sent[];
  /** A refund that comes to nothing. */
  failedRefund(payment: Payment, cents: number): Sent[];
  dispute(payment: Payment, cents: number): { opened: Sent[]; won: Sent[] };
  /** A question of the bank that takes no money. */
  inquiry(payment: Payment, cents: number): Sent[];
  /** Data on the processor's customer. */
  describeCustomer(customer: string, key: string): Sent[];
};

const metadataOf = ({ key, programId }: Purchase) => ({
  ...(key !== undefined && { svc_customer_key: key }),
  ...(programId !== undefined && { program_id: String(programId) }),
});

function stripeShop(service: TestService): Shop {
  const stripe = () => new StripeEvents('2026', service.time);
  const ready = (event: StripeEvent): Sent => ({ id: event.id, send: (programId) => send(service, programId, event) });
  const event = (type: string, object: object, isTest = false) => ready(stripe().event(type, object, !isTest));
  const of = ({ reference }: Payment) => ({ charge: `ch_of_${reference}`, paymentIntent: reference });
  return {
    connect: (made) => connectStripe(service, made),
    pay(purchase) {
      const reference = newId('pi');
      const session = stripe().session({ ...purchase, metadata: metadataOf(purchase), paymentIntent: reference });
      const events = [event('checkout.session.completed', session, purchase.isTest)];
      return { id: reference, reference, events };
    },
    payFor(subscription, stage, purchase) {
      const reference = newId('pi');
      const reason = { start: 'subscription_create', cycle: 'subscription_cycle', change: 'subscription_update' }[
        stage
      ];
      const invoice = stripe().invoice({ ...purchase, metadata: metadataOf(purchase), subscription, reason });
      const link = stripe().invoicePayment(invoice.id, reference, { cents: invoice.amount_paid });
      const events = [event('invoice.paid', invoice, purchase.isTest), event('invoice_payment.paid', link)];
      return { id: invoice.id, reference, events };
    },
    refund: (payment, cents) => [event('refund.created', stripe().refund({ ...of(payment), cents }))],
    failedRefund(payment, cents) {
      const refund = stripe().refund({ ...of(payment), cents, status: 'pending' });
      return [event('refund.created', refund), event('refund.updated', { ...refund, status: 'failed' })];
    },
    dispute(payment, cents) {
      const dispute = stripe().dispute({ ...of(payment), cents });
      const won = event('charge.dispute.closed', { ...dispute, status: 'won' });
      return { opened: [event('charge.dispute.created', dispute)], won: [won] };
    },
    inquiry(payment, cents) {
      const inquiry = stripe().dispute({ ...of(payment), cents, status: 'warning_needs_response' });
      return [event('charge.dispute.created', inquiry)];
    },
    describeCustomer: (customer, key) => [
      event('customer.updated', stripe().customer({ id: customer, metadata: metadataOf({ key }) })),
    ],
  };
}

function paddleShop(service: TestService): Shop {
  const paddle = () => new PaddleEvents(service.time);
  const ready = (event: PaddleEvent, secret?: string): Sent => ({
    id: event.event_id,
    send: (programId) => sendPaddle(service, programId, event, secret),
  });
  const event = (type: string, object: object, isTest = false) =>
    ready(paddle().event(type, object), isTest ? PADDLE_TEST_SECRET : undefined);
  const transaction = (purchase: Purchase, parts: object = {}): Payment => {
    const [id, customer] = [newId('txn'), purchase.customer ?? newId('ctm')];
    const purchased = { ...purchase, id, customer, customData: metadataOf(purchase), ...parts };
    const completed = paddle().transaction(purchased);
    // The transaction has no subscription yet when it is paid.
    const paid = paddle().transaction({ ...purchased, status: 'paid', subscription: null });
    const events = [
      event('transaction.paid', paid, purchase.isTest),
      event('transaction.completed', completed, purchase.isTest),
    ];
    return { id, reference: id, events };
  };
  const adjust = ({ reference: transaction }: Payment, cents: number, action: string) => {
    const id = newId('adj');
    const adjusted = (name: string, status: string) =>
      event(`adjustment.${name}`, paddle().adjustment({ id, transaction, cents, action, status }));
    return {
      created: (status: string) => adjusted('created', status),
      updated: (status: string) => adjusted('updated', status),
    };
  };
  return {
    async connect(made) {
      await connectPaddle(service, made);
      await addSecret(service.ctx, made.program, 'paddle', { value: PADDLE_TEST_SECRET, isTest: true }, OPERATOR);
    },
    pay: (purchase) => transaction(purchase),
    payFor(subscription, stage, purchase) {
      const origin = { start: 'web', cycle: 'subscription_recurring', change: 'subscription_update' }[stage];
      return transaction(purchase, { subscription, origin });
    },
    refund(payment, cents) {
      const refund = adjust(payment, cents, 'refund');
      return [refund.created('pending_approval'), refund.updated('approved')];
    },
    failedRefund(payment, cents) {
      const refund = adjust(payment, cents, 'refund');
      return [refund.created('pending_approval'), refund.updated('rejected')];
    },
    dispute(payment, cents) {
      const chargeback = adjust(payment, cents, 'chargeback');
      const reversal = adjust(payment, cents, 'chargeback_reverse');
      return {
        opened: [chargeback.created('approved')],
        won: [chargeback.updated('reversed'), reversal.created('approved')],
      };
    },
    inquiry: (payment, cents) => [adjust(payment, cents, 'chargeback_warning').created('approved')],
    describeCustomer: (customer, key) => [
      event('customer.updated', paddle().customer(customer, { customData: metadataOf({ key }) })),
    ],
  };
}

/** A shop on each payment processor. */
export const SHOPS: Record<ProcessorName, (service: TestService) => Shop> = { stripe: stripeShop, paddle: paddleShop };
