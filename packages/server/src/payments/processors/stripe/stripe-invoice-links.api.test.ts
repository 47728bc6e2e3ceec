import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { deliver, ledger, newId, OWN, StripeEvents, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('invoices that arrive without their payments are counted until the links arrive', async () => {
  const made = await withBuyer(service);
  const owner = await memberOf(service, made.workspaceId);
  const unlinked = async () => {
    const { body } = await service.call('GET', manage(made, '/processor'), { key: owner.token });
    return body.data.unlinked_invoices;
  };
  const stripe = new StripeEvents('2026', service.time);
  const paymentIntent = newId('pi');
  const invoice = stripe.invoice(OWN);
  await deliver(service, made.id, stripe.event('invoice.paid', invoice));
  await deliver(service, made.id, stripe.event('checkout.session.completed', stripe.session(OWN)));
  expect(await unlinked()).toBe(0);

  service.advance({ seconds: 601 });
  expect(await unlinked()).toBe(1);
  const charge = stripe.charge({ paymentIntent, cents: 5_000, refunded: 5_000 });
  expect(await deliver(service, made.id, stripe.event('charge.refunded', charge))).toBe('no_invoice_link');

  const link = stripe.event('invoice_payment.paid', stripe.invoicePayment(invoice.id, paymentIntent));
  expect(await deliver(service, made.id, link)).toBe('refunded');
  expect(await unlinked()).toBe(0);
  expect((await ledger(service, made.id)).find(({ id }) => id === invoice.id)).toMatchObject({ refunded: 5_000 });
  const other = stripe.charge({ paymentIntent: newId('pi'), cents: 5_000, refunded: 5_000 });
  expect(await deliver(service, made.id, stripe.event('charge.refunded', other))).toBe('no_sale_yet');
});

it('an invoice without a link from before the links began to arrive is no longer counted', async () => {
  const made = await withBuyer(service);
  const owner = await memberOf(service, made.workspaceId);
  const stripe = new StripeEvents('2026', service.time);
  await deliver(service, made.id, stripe.event('invoice.paid', stripe.invoice(OWN)));
  stripe.at += 60;
  service.advance({ seconds: 60 });
  const linked = stripe.invoice(OWN);
  await deliver(
    service,
    made.id,
    stripe.event('invoice.paid', linked),
    stripe.event('invoice_payment.paid', stripe.invoicePayment(linked.id, newId('pi'))),
  );
  service.advance({ seconds: 601 });
  const { body } = await service.call('GET', manage(made, '/processor'), { key: owner.token });
  expect(body.data.unlinked_invoices).toBe(0);
});

it('an invoice of an older API version names its payment itself', async () => {
  const made = await withBuyer(service);
  const owner = await memberOf(service, made.workspaceId);
  const stripe = new StripeEvents('2024', service.time);
  await deliver(service, made.id, stripe.event('invoice.paid', stripe.invoice(OWN)));
  service.advance({ seconds: 601 });
  const { body } = await service.call('GET', manage(made, '/processor'), { key: owner.token });
  expect(body.data.unlinked_invoices).toBe(0);
});

it('an invoice that was paid outside of Stripe has a link to no payment, and is not counted', async () => {
  const made = await withBuyer(service);
  const owner = await memberOf(service, made.workspaceId);
  const stripe = new StripeEvents('2026', service.time);
  const invoice = stripe.invoice(OWN);
  const link = {
    ...stripe.invoicePayment(invoice.id, ''),
    payment: { type: 'payment_record', payment_record: 'prec_1' },
  };
  await deliver(service, made.id, stripe.event('invoice.paid', invoice));
  expect(await deliver(service, made.id, stripe.event('invoice_payment.paid', link))).toBe('payment_linked');
  service.advance({ seconds: 601 });
  const { body } = await service.call('GET', manage(made, '/processor'), { key: owner.token });
  expect(body.data.unlinked_invoices).toBe(0);
  expect(await ledger(service, made.id)).toMatchObject([{ id: invoice.id, refunded: 0, commission: 1_000 }]);
});
