import type { PaymentFact } from '../../processor-fact.ts';
import { shareOf } from '../../share-of.ts';
import { at, money, record } from './fields.ts';

type StripeObject = Record<string, unknown>;
type Parts = Pick<PaymentFact, 'taxCents' | 'shippingCents'>;

/** The tax and the shipping in the payment of a checkout. */
export function readSessionParts(session: StripeObject): Parts {
  const details = session.total_details;
  const tax = countOf(at(details, 'amount_tax'));
  const shipping = netShipping(session.shipping_cost) ?? countOf(at(details, 'amount_shipping'));
  return partsOf(
    { total: session.amount_total, paid: session.amount_total, currency: session.currency },
    tax,
    shipping,
  );
}

/** The tax and the shipping in what was paid of an invoice. */
export function readInvoiceParts(invoice: StripeObject): Parts {
  const shipping = netShipping(invoice.shipping_cost) ?? countOf(invoice.amount_shipping);
  return partsOf(
    { total: invoice.total, paid: invoice.amount_paid, currency: invoice.currency },
    invoiceTax(invoice),
    shipping,
  );
}

/** The tax and the shipping that a shop put on a payment of its own. */
export function readIntentParts(intent: StripeObject): Parts {
  const details = intent.amount_details;
  const tax = countOf(at(at(details, 'tax'), 'total_tax_amount'));
  const shipping = countOf(at(at(details, 'shipping'), 'amount'));
  return partsOf({ total: intent.amount, paid: intent.amount_received, currency: intent.currency }, tax, shipping);
}

/** The field has had three names. The newer lists leave out the tax on shipping, and the total without tax may be absent. */
function invoiceTax(invoice: StripeObject): number | null {
  const [total, net] = [countOf(invoice.total), countOf(invoice.total_excluding_tax)];
  const difference = total !== null && net !== null && net <= total ? total - net : null;
  const listed = listedTax(invoice.total_taxes) ?? listedTax(invoice.total_tax_amounts) ?? countOf(invoice.tax);
  return difference === null ? listed : Math.max(difference, listed ?? 0);
}

function listedTax(list: unknown): number | null {
  if (!Array.isArray(list)) return null;
  const amounts = list.map((tax) => countOf(record(tax)?.amount));
  return amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
}

/** Shipping without its tax, which is among the tax already. */
function netShipping(cost: unknown): number | null {
  const [total, tax] = [countOf(at(cost, 'amount_total')), countOf(at(cost, 'amount_tax'))];
  return total !== null && tax !== null && tax <= total ? total - tax : null;
}

type Payment = { total: unknown; paid: unknown; currency: unknown };

/**
 * Converts the parts of the total to parts of what was paid. The two differ when a credit balance paid for some of it: then the
 * parts count in proportion. Figures that do not fit into the total are not used.
 */
function partsOf(payment: Payment, tax: number | null, shipping: number | null): Parts {
  const [total, paid] = [countOf(payment.total), countOf(payment.paid)];
  if (total === null || paid === null || (tax ?? 0) + (shipping ?? 0) > total) return {};
  const centsOf = (part: number) => money(shareOf(part, Math.min(paid, total), total), payment.currency).amountCents;
  const { amountCents } = money(paid, payment.currency);
  // Each is rounded on its own, and together they must not exceed the amount.
  const taxCents = Math.min(centsOf(tax ?? 0), amountCents);
  const shippingCents = Math.min(centsOf(shipping ?? 0), amountCents - taxCents);
  return {
    ...(tax !== null && { taxCents }),
    ...(shipping !== null && { shippingCents }),
  };
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
